import fc from 'fast-check';

/**
 * Random series of commands. A series shrinks to the commands that ran, then to the fewest and smallest that still fail.
 * `canRun` is called before each command, because it depends on the commands before.
 */
export const commandSeries = <C, D extends object>(
  command: fc.Arbitrary<C>,
  maxCommands: number,
  canRun: (session: D, one: C) => boolean,
  execute: (session: D, one: C) => Promise<void>,
): fc.Arbitrary<Iterable<fc.AsyncCommand<D, null>>> =>
  fc.commands(
    [
      command.map((one) => ({
        check: (session: D) => canRun(session, one),
        run: (session: D) => execute(session, one),
        toString: () => JSON.stringify(one),
      })),
    ],
    { maxCommands, size: 'max', disableReplayLog: true },
  );

export const runSeries = <D extends object>(session: D, series: Iterable<fc.AsyncCommand<D, null>>): Promise<void> =>
  fc.asyncModelRun(() => ({ model: session, real: null }), series);
