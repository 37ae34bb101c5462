import { type ListenOptions, listen } from './listen.ts';

/**
 * Listens, prints the ready line on standard output, and serves until SIGTERM or SIGINT; then stops accepting and
 * finishes what is in flight. If the start fails, nothing listens any more when the error is thrown.
 */
export async function serveUntilSignal(
  options: ListenOptions & {
    /** Last step of the start, before the ready line; gets the address that was taken, `url` is `http://HOST:PORT`. */
    onListening?: (address: { host: string; port: number; url: string }) => Promise<void> | void;
    /** Called when a signal has come, while what is in flight is finished. False: some work would never end. */
    onStopping?: () => Promise<boolean>;
    /** Called when nothing is answered any more; the process ends only after it has settled. */
    onClosed?: () => Promise<void>;
  },
): Promise<void> {
  // A closed reader of the output is no reason to stop.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const listening = await listen(options);
  // Not earlier: until now a signal ends the process at once, whatever the start is waiting for.
  const signal = catchSignals();
  const start = async () => {
    const { host, port, url } = listening;
    await options.onListening?.({ host, port, url });
    return 'ready' as const;
  };
  try {
    if ((await Promise.race([start(), signal.came])) === 'ready') {
      process.stdout.write(`listening on ${listening.url}\n`);
      await signal.came;
    }
  } catch (error) {
    signal.release();
    await listening.close();
    throw error;
  }
  const [isOver, isDone = true] = await Promise.all([listening.close(), options.onStopping?.()]);
  await options.onClosed?.();
  // choice/box/162: an operation that never ends would keep the process for as long; nobody is there to answer.
  if (!isOver || !isDone) process.exit(0);
}

/** Further signals change nothing: a stop under way is not cut short by an impatient terminal. */
function catchSignals(): { came: Promise<'signal'>; release(): void } {
  const { promise, resolve } = Promise.withResolvers<'signal'>();
  const onSignal = () => resolve('signal');
  const names = ['SIGTERM', 'SIGINT'] as const;
  for (const name of names) process.on(name, onSignal);
  return {
    came: promise,
    release() {
      for (const name of names) process.off(name, onSignal);
    },
  };
}
