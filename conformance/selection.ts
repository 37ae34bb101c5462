import { InvalidOption } from './invalid-option.ts';
import type { AnyCheck } from './kernel/check.ts';
import type { ConformanceOptions } from './options.ts';
import { readEarlierReport } from './report/compare.ts';
import type { RunFacts } from './report/report.ts';
import { sentencesOf } from './report/sentences.ts';
import { failsRun, type Gate } from './run/result.ts';

/** The options that select checks, for messages. */
export const selections = '--only, --shard, --rerun-failed and --bail';

/** Whether a run has all checks of the suite. */
export const isComplete = ({ only = [], shard, rerunFailed, bail = false, checks }: ConformanceOptions) =>
  only.length === 0 && !bail && [shard, rerunFailed, checks].every((option) => option === undefined);

/** The ids that `--rerun-failed` selects. `undefined` without that option. */
export function failedIn({ rerunFailed: file, api }: ConformanceOptions, gate: Gate): string[] | undefined {
  if (file === undefined) return undefined;
  const failed = readEarlierReport('--rerun-failed', file, api).filter((one) => failsRun(one, gate));
  if (failed.length === 0) throw new InvalidOption(`--rerun-failed: no check of a required level failed in ${file}`);
  return failed.map(({ id }) => id);
}

/** The checks that `--only` and `--shard` leave. */
export function selectChecks<C extends AnyCheck>(
  all: readonly C[],
  options: Pick<ConformanceOptions, 'only' | 'shard'>,
): C[] {
  const only = options.only ?? [];
  const ids = new Set(only.flatMap((beginning) => idsBelow(beginning, all)));
  const chosen = all.filter((check) => only.length === 0 || ids.has(check.id));
  if (options.shard === undefined) return chosen;
  const [, part = '', parts = ''] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(options.shard) ?? [];
  if (part === '' || Number(part) > Number(parts)) {
    throw new InvalidOption(`--shard: expected i/n with i at most n, found ${options.shard}`);
  }
  return chosen.filter((_, index) => index % Number(parts) === Number(part) - 1);
}

/** The ids below these segments, or else those that begin with this text. Throws `InvalidOption` without any. */
function idsBelow(beginning: string, all: readonly AnyCheck[]): string[] {
  const ids = all.map(({ id }) => id);
  const segments = `${beginning.replace(/\/$/, '')}/`;
  const below = ids.filter((id) => id.startsWith(segments));
  const found = below.length > 0 ? below : ids.filter((id) => id.startsWith(beginning));
  if (found.length > 0) return found;
  throw new InvalidOption(`--only: no check has the id ${beginning} or begins so; near: ${nearest(beginning, ids)}`);
}

/** The ids that have the most pairs of characters in common with a text. */
function nearest(text: string, ids: readonly string[]): string {
  const pairsOf = (one: string) => new Set(Array.from(one.toLowerCase(), (first, at) => first + (one[at + 1] ?? '')));
  const pairs = pairsOf(text);
  const likeness = (id: string) => {
    const others = pairsOf(id);
    return [...others].filter((pair) => pairs.has(pair)).length / (pairs.size + others.size);
  };
  return [...ids]
    .sort((one, other) => likeness(other) - likeness(one))
    .slice(0, 3)
    .join(', ');
}

/** The text of `--list`: each check below the sentences that it proves, which neighbours with the same ones share. */
export function listChecks(checks: readonly AnyCheck[], rules: RunFacts['rules']): string {
  const lines = checks.flatMap((check, index) => {
    const isNew = checks[index - 1]?.rules.join() !== check.rules.join();
    const sentences = isNew ? ['', ...sentencesOf(check.rules, rules)] : [];
    return [...sentences, `    ${check.id}: ${check.title}`];
  });
  return [...lines.slice(1), ''].join('\n');
}
