import { type ListenOptions, listen } from './listen.ts';

/**
 * Listens, says so with one line on standard output, and goes on until SIGTERM or SIGINT; then stops accepting and
 * finishes what is in flight. Whoever called makes its data durable after that and lets the process end.
 * `onListening` gets the address that was really taken before the line is printed.
 */
export async function serveUntilSignal(
  options: ListenOptions & {
    onListening?: (address: { host: string; port: number }) => Promise<void> | void;
    /** Called when nothing is answered any more; the process does not end before it has settled. */
    onClosed?: () => Promise<void>;
  },
): Promise<void> {
  const stop = nextSignal();
  // Who read the lines may be gone; that is no reason to stop.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const listening = await listen(options);
  await options.onListening?.({ host: listening.host, port: listening.port });
  process.stdout.write(`listening on ${listening.url}\n`);
  await stop;
  const isOver = await listening.close();
  await options.onClosed?.();
  // choice/box/162: an operation that never ends would keep the process for as long; nobody is there to answer.
  if (!isOver) process.exit(0);
}

/** Further signals change nothing: a stop under way is not cut short by an impatient terminal. */
function nextSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.on('SIGTERM', () => resolve());
    process.on('SIGINT', () => resolve());
  });
}
