import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { suiteVersion } from '../run/suite.ts';
import type { Instrumented } from './instrument.ts';
import { type Finding, joinFindings, type Lines, openFindings, openLines } from './memory.ts';
import type { Mutant } from './mutant.ts';
import { makeFocus, type Tries, type Watched } from './plan.ts';
import { buildProgram, type Program } from './program.ts';
import { root } from './sources.ts';
import type { AnyOf, Suites } from './suites.ts';
import { isBeyondChecks } from './survivors.ts';
import { openChecks, tryMutant } from './trial-of-mutants.ts';

export type LabOptions = {
  suites: Suites;
  /** Mutants, or checks, at a time. */
  concurrency: number;
  most: number;
  /** Tries no others than these; null: all that reach a mutant. */
  only: readonly string[] | null;
  isOver: () => boolean;
  tell: (line: string) => void;
};

export type Lab = {
  digest: string;
  findings: () => Map<string, Finding>;
  watched: () => Watched[];
  /** Learns what the server of each check executes; false when the time was over before. */
  watch: () => Promise<boolean>;
  /** Tries mutants in this order, those first of which nothing is known; of those that no check could notice none twice. */
  tryAll: (mutants: readonly Mutant[]) => Promise<void>;
};

type WatchedLine = { print: string; milliseconds: number; executed: string[] };

/**
 * What is known is taken up where it was left: what checks execute as long as no source changes, and what was found of
 * a mutant as long as its file does not.
 */
export async function makeLab(instrumented: Instrumented, options: LabOptions): Promise<Lab> {
  const digest = digestOf(instrumented.texts);
  const cache = join(root, 'node_modules', '.cache', 'boxgate-mutants');
  const folder = join(cache, digest);
  const program = await buildProgram(instrumented, folder);
  const executions = openLines<WatchedLine>(join(folder, 'executions.jsonl'));
  const fileOf = new Map(instrumented.mutants.map(({ key, file }) => [key, file]));
  const prints = new Map(options.suites.checks.map(({ id, print }) => [id, print]));
  const findings = openFindings(
    join(cache, 'findings.jsonl'),
    (key) => instrumented.sources.get(fileOf.get(key) ?? ''),
    (checkId) => prints.get(checkId),
  );
  const watched = () => withoutOthers(options.suites.checks, executions.rows);
  const asked = () => watched().filter(({ check }) => options.only?.includes(check.id) !== false);
  return {
    digest,
    findings: () => joinFindings(findings.rows),
    watched,
    watch: () => watchChecks(program, executions, options),
    tryAll: (mutants) =>
      tryAll(mutants, { all: instrumented.mutants, program, findings, watched: asked(), ...options }),
  };
}

export function digestOf(texts: Instrumented['texts']): string {
  const hash = createHash('sha256').update(suiteVersion);
  for (const [name, text] of texts) hash.update(`\0${name}\0${text}`);
  return hash.digest('hex').slice(0, 16);
}

/** What is known of the checks as they are worded now. */
function withoutOthers(checks: readonly AnyOf[], lines: readonly WatchedLine[]): Watched[] {
  const byPrint = new Map(checks.map((check) => [check.print, check]));
  return lines.flatMap(({ print, milliseconds, executed }) => {
    const check = byPrint.get(print);
    return check === undefined ? [] : [{ check, milliseconds, executed: new Set(executed) }];
  });
}

async function watchChecks(
  program: Program,
  executions: Lines<WatchedLine>,
  { suites, isOver, tell, concurrency }: LabOptions,
): Promise<boolean> {
  const known = new Set(executions.rows.map(({ print }) => print));
  const unknown = suites.checks.filter(({ print }) => !known.has(print));
  if (unknown.length > 0) tell(`${unknown.length} checks on servers without a mutant`);
  return inParallel(unknown, concurrency, isOver, async ({ api, id, print }) => {
    // A second time where a loaded machine made it fail.
    for (const _ of [1, 2]) {
      const { argv, executed } = program.watched(id);
      const [came] = await suites.run(api, [id], argv);
      if (came?.outcome === 'pass') {
        executions.add({ print, milliseconds: came.milliseconds, executed: [...executed()] });
        return;
      }
      tell(`${id} without a mutant: ${came?.outcome} ${came?.reason}`);
    }
  });
}

type TryAll = LabOptions & {
  all: readonly Mutant[];
  program: Program;
  findings: Lines<Finding>;
  watched: Watched[];
};

async function tryAll(mutants: readonly Mutant[], options: TryAll): Promise<void> {
  const { program, findings, watched, suites, most, isOver, tell, concurrency } = options;
  const known = joinFindings(findings.rows);
  const history = makeHistory(watched);
  const focus = makeFocus(watched);
  const idsOf = Map.groupBy(options.all, ({ file }) => file);
  const fileOf = new Map(options.all.map(({ key, file }) => [key, file]));
  for (const row of known.values()) history.learn(row, fileOf.get(row.key) ?? '');
  const isNew = ({ key }: Mutant) => !known.has(key);
  const open = mutants
    .filter((mutant) => openChecks(mutant, watched, known.get(mutant.key)).length > 0)
    .filter((mutant) => isNew(mutant) || !isBeyondChecks(mutant.key));
  const queue = [...open.filter(isNew), ...open.filter((mutant) => !isNew(mutant))];
  let done = 0;
  await inParallel(queue, concurrency, isOver, async (mutant) => {
    const ids = idsOf.get(mutant.file)?.map(({ id }) => id) ?? [];
    const { experience } = history;
    const trial = { suites, program, watched, experience, most, focus: (one: Watched) => focus(one, ids) };
    const finding = await tryMutant(mutant, trial, known.get(mutant.key));
    findings.add(finding);
    history.learn(finding, mutant.file);
    done += 1;
    tell(`${done}/${queue.length} ${wordsFor(finding)}: ${mutant.line} ${mutant.key}`);
  });
}

function wordsFor({ noticedBy, passed, broke }: Finding): string {
  if (noticedBy !== null) return `noticed by ${noticedBy.id}`;
  const broken = broke.length === 0 ? '' : `, broke ${broke.join(' ')}`;
  return `NOT NOTICED by ${passed.length} checks${broken}`;
}

/** What each check has noticed of each file so far. */
export function makeHistory(watched: readonly Watched[]) {
  const idOf = new Map(watched.map(({ check }) => [check.print, check.id]));
  const tries = new Map<string, Tries>();
  const count = (id: string, file: string, noticed: number) => {
    const before = tries.get(`${id} ${file}`) ?? { tried: 0, noticed: 0 };
    tries.set(`${id} ${file}`, { tried: before.tried + 1, noticed: before.noticed + noticed });
  };
  return {
    experience: (id: string, file: string): Tries => tries.get(`${id} ${file}`) ?? { tried: 0, noticed: 0 },
    learn({ noticedBy, passed }: Finding, file: string): void {
      if (noticedBy !== null) count(noticedBy.id, file, 1);
      for (const print of passed) count(idOf.get(print) ?? '', file, 0);
    },
  };
}

/** True when all were done before it was over. */
async function inParallel<T>(
  list: readonly T[],
  concurrency: number,
  isOver: () => boolean,
  work: (one: T) => Promise<void>,
): Promise<boolean> {
  const queue = [...list];
  const worker = async () => {
    while (queue.length > 0 && !isOver()) {
      const one = queue.shift();
      if (one !== undefined) await work(one);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return queue.length === 0;
}
