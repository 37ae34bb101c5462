import { type AddressPorts, type Joined, type Joining, type TunnelFiles, TunnelProblem } from './ports.ts';

/** Returns the joined box; throws a TunnelProblem before the box joins a gateway. */
export function joinedBox(files: TunnelFiles): Joined {
  const known = files.read();
  if (known === null) throw new TunnelProblem('this box has not joined a gateway; boxgate tunnel join does that');
  if (known.state === 'joining') throw new TunnelProblem(answerLost(known));
  return known;
}

/** Runs a change of the tunnel while no other process changes it; throws a TunnelProblem before the box joins a gateway. */
export function changeJoined<Result>({ files }: Pick<AddressPorts, 'files'>, change: (box: Joined) => Promise<Result>) {
  return locked(files, () => change(joinedBox(files)));
}

export async function locked<Result>(files: Pick<TunnelFiles, 'lock'>, change: () => Promise<Result>): Promise<Result> {
  const lock = await files.lock();
  try {
    return await change();
  } finally {
    lock.release();
  }
}

/** The error for the owner if the answer to a registration was lost. */
export function answerLost({ gateway, boxName, startedAt }: Joining): string {
  return (
    `the answer to the registration at ${gateway} of ${startedAt} was lost; if that gateway's operator finds a box ` +
    `${JSON.stringify(boxName)} of that time in \`boxgate gateway boxes list\`, nobody can speak for it and ` +
    '`boxgate gateway boxes remove ID` frees its place; boxgate tunnel join registers this box anew'
  );
}

/** The error for the owner if the box's token is lost. */
export function nobodySpeaksFor(boxId: string): string {
  return (
    `nobody can speak for the box ${boxId} any more: its gateway's operator removes it with ` +
    `\`boxgate gateway boxes remove ${boxId}\``
  );
}
