import { type AnyCheck, levelOf } from './kernel/check.ts';
import { InvalidOption } from './kernel/invalid-option.ts';
import type { Level, readRules } from './kernel/rules.ts';
import type { ConformanceOptions } from './options.ts';
import { readEarlierReport } from './report/earlier-report.ts';
import { failsRun } from './run/result.ts';

/** The options that select checks, for messages. */
export const selections = '--only, --shard, --rerun-failed and --bail';

/** Whether a run has all checks of the suite. */
export const isComplete = ({ only = [], shard, rerunFailed, bail = false, checks }: ConformanceOptions) =>
  only.length === 0 && !bail && [shard, rerunFailed, checks].every((option) => option === undefined);

/** The ids that `--rerun-failed` selects. `undefined` without that option. */
export function failedIn(
  { rerunFailed: file, api }: ConformanceOptions,
  required: readonly Level[],
): string[] | undefined {
  if (file === undefined) return undefined;
  const failed = readEarlierReport('--rerun-failed', file, api).filter((one) => failsRun(one, { required }));
  if (failed.length === 0) throw new InvalidOption(`--rerun-failed: no check of a required level failed in ${file}`);
  return failed.map(({ id }) => id);
}

/** The checks that `--only` and `--shard` leave. */
export function selectChecks<C extends AnyCheck>(
  all: readonly C[],
  options: Pick<ConformanceOptions, 'only' | 'shard'>,
): C[] {
  const only = options.only ?? [];
  for (const id of only) {
    if (!all.some((check) => isUnder(check.id, id))) throw new InvalidOption(`--only: no check has the id ${id}`);
  }
  const chosen = all.filter((check) => only.length === 0 || only.some((id) => isUnder(check.id, id)));
  if (options.shard === undefined) return chosen;
  const [, part = '', parts = ''] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(options.shard) ?? [];
  if (part === '' || Number(part) > Number(parts)) {
    throw new InvalidOption(`--shard: expected i/n with i at most n, found ${options.shard}`);
  }
  return chosen.filter((_, index) => index % Number(parts) === Number(part) - 1);
}

/** Whether `beginning` is the id or a prefix of complete segments. */
const isUnder = (id: string, beginning: string) =>
  id === beginning || id.startsWith(`${beginning.replace(/\/$/, '')}/`);

/** The text of `--list`. */
export function listChecks(checks: readonly AnyCheck[], rules: ReturnType<typeof readRules>): string {
  return checks
    .map((check) => {
      const lines = check.rules.map((id) => `    ${id}: ${rules.get(id)?.text ?? ''}`);
      return [`${check.id} (${levelOf(check)}): ${check.title}`, ...lines, ''].join('\n');
    })
    .join('');
}
