import type { Attempt } from './attempt.ts';
import type { UpdaterPorts } from './ports.ts';
import type { UpdateState } from './rules/update-state.ts';

/**
 * Ends an attempt whose switch is committed: installs the unit files of the new version, and removes all versions but
 * the new and the previous one. A failure only changes the message, because the new version runs. Throws
 * StorageFailed if the state cannot be written.
 * choice/box/365
 * @param prune - whether the attempt's state can be trusted with the version to keep
 */
export async function finish(ports: UpdaterPorts, attempt: Attempt, { prune } = { prune: true }): Promise<UpdateState> {
  const { software } = ports;
  const { from = '', to = '' } = attempt.state();
  const problems = [
    await problemOf(() => ports.unitFiles.bringUpTo(to)),
    await problemOf(() => software.clear()),
    await problemOf(() => software.discard()),
    prune ? await problemOf(() => software.prune([from, to])) : null,
  ].filter((problem) => problem !== null);
  const message = [
    `version ${to} runs`,
    ...problems,
    ...(await neighbourNote(ports)),
    ...(await remarksOf(ports, to)),
  ].join('; ');
  return attempt.end('done', { outcome: 'updated', message });
}

async function remarksOf({ product, software }: UpdaterPorts, version: string): Promise<string[]> {
  try {
    return (await product.remarks?.(`${software.path}/${version}`)) ?? [];
  } catch (error) {
    return [(error as Error).message];
  }
}

/** A box and a gateway may run from the same software folder. The other one runs the new version after a restart. */
async function neighbourNote({ product, manager, software }: UpdaterPorts): Promise<string[]> {
  const neighbour = `boxgate-${product.service === 'box' ? 'gateway' : 'box'}.service`;
  const { state, command } = await manager.status(neighbour);
  if (state !== 'active' || !command.includes(`${software.path}/current/`)) return [];
  return [`${neighbour} runs from ${software.path} as well: systemctl restart ${neighbour}`];
}

/** Removes what an interrupted update has left, and catches up on unit files that it did not replace. */
export async function tidyBefore({ software, unitFiles, version }: UpdaterPorts): Promise<void> {
  await software.clear();
  await software.discard();
  if ((await software.current()) === version) await problemOf(() => unitFiles.bringUpTo(version));
}

async function problemOf(work: () => Promise<void>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
