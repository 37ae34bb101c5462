/** Which transactions had ended at one moment, as PostgreSQL writes it: `xmin:xmax:running,running`. */
export type Snapshot = string;

/** Whether a transaction had ended by then. */
export function isIn(snapshot: Snapshot, transaction: bigint): boolean {
  const [xmin = '0', xmax = '0', running = ''] = snapshot.split(':');
  if (transaction < BigInt(xmin)) return true;
  if (transaction >= BigInt(xmax)) return false;
  return !running.split(',').includes(String(transaction));
}

/** Whether the second cannot be later than the first: another database answers, or an older copy of it. */
export function wentBack(before: Snapshot, after: Snapshot): boolean {
  return BigInt(after.split(':')[0] ?? '0') < BigInt(before.split(':')[0] ?? '0');
}
