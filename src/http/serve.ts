import { type Listening, type ListenOptions, listen } from './listen.ts';

/**
 * Listens, prints the ready line on standard output, and serves until SIGTERM or SIGINT. Then it stops accepting and
 * finishes the operations under way. If the start fails, the port is closed before the error is thrown.
 */
export async function serveUntilSignal(
  options: ListenOptions & {
    /** Last step of the start, before the ready line. */
    onListening?: (address: Omit<Listening, 'close'>) => Promise<void> | void;
    /** Called after a signal, while operations finish. `false` if some work would never end. */
    onStopping?: () => Promise<boolean>;
    /** Called after the last response. The process ends after it has settled. */
    onClosed?: () => Promise<void>;
  },
): Promise<void> {
  // A closed output is no reason to stop.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const listening = await listen(options);
  // Before this line a signal ends the process at once.
  const signal = catchSignals();
  const start = async () => {
    await options.onListening?.(listening);
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
  // An operation that never ends would keep the process alive.
  if (!isOver || !isDone) process.exit(0);
}

/** Catches the first signal and ignores further ones, so that they do not interrupt the stop. */
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
