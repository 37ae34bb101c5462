import type { BoxPorts } from '../ports.ts';
import { ContainersFailed } from '../ports.ts';
import { removeReplacedImages } from './replaced-images.ts';
import { showSpace, spaceLines } from './show-space.ts';

export type CommandResult = { status: number; text: string };

export async function spaceCommand(box: BoxPorts): Promise<CommandResult> {
  return { status: 0, text: spaceLines(await showSpace(box, 10 * 60_000)).join('\n') };
}

/** Removes the images that updates have replaced, without waiting for their day. */
export async function freeCommand(box: BoxPorts): Promise<CommandResult> {
  try {
    const { removed, kept } = await removeReplacedImages(box, true);
    const lines = [
      ...removed.map(({ app, tags, id }) => `removed ${tags[0] ?? id} of ${app}`),
      ...kept.map(({ image: { app, tags, id }, why }) => `kept ${tags[0] ?? id} of ${app}: ${why}`),
    ];
    return { status: 0, text: lines.length === 0 ? 'there is nothing to remove' : lines.join('\n') };
  } catch (error) {
    if (!(error instanceof ContainersFailed)) throw error;
    return { status: 1, text: error.message };
  }
}
