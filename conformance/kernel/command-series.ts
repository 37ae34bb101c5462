import fc from 'fast-check';

/**
 * Series of random commands that shrink to those that were carried out, then to as few and as small ones as still
 * fail. Whether one can be given is asked where its turn comes.
 */
export const seriesOf = <C, D extends object>(
  command: fc.Arbitrary<C>,
  maxCommands: number,
  canBeGiven: (driven: D, one: C) => boolean,
  follow: (driven: D, one: C) => Promise<void>,
): fc.Arbitrary<Iterable<fc.AsyncCommand<D, null>>> =>
  fc.commands(
    [
      command.map((one) => ({
        check: (driven: D) => canBeGiven(driven, one),
        run: (driven: D) => follow(driven, one),
        toString: () => JSON.stringify(one),
      })),
    ],
    { maxCommands, size: 'max', disableReplayLog: true },
  );

/** Carries a series out. */
export const runSeries = <D extends object>(
  driven: D,
  series: Iterable<fc.AsyncCommand<D, null>>,
): Promise<void> => fc.asyncModelRun(() => ({ model: driven, real: null }), series);
