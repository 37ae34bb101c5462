import { shownName } from '../lib/shown-text.ts';
import type { BoxPorts } from './ports.ts';

type TrashPorts = Pick<BoxPorts, 'trash' | 'changes'>;

/** The removed apps that are still kept, a line each, the oldest first. */
export function trashLines({ trash }: Pick<TrashPorts, 'trash'>): string[] {
  return trash.list().map(({ name, removedAt }) => `${shownName(name)}\tremoved ${removedAt.toISOString()}`);
}

/** Brings back the app of that name that was removed last. False when none is kept. */
export function restoreApp({ trash, changes }: TrashPorts, name: string): Promise<boolean> {
  return changes.run(async () => {
    const entry = trash.list().findLast((one) => one.name === name);
    if (entry === undefined) return false;
    await trash.restore(entry.id);
    return true;
  });
}
