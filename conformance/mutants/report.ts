import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeSection } from '../faults/strength.ts';
import { interval, percent } from './estimate.ts';
import type { FirstLook } from './first-looks.ts';
import type { Tried } from './result.ts';
import { leftOut } from './sources.ts';
import { isBeyondChecks, kindsOfReasons, type Reason, survivors } from './survivors.ts';

/** What holds for a whole run. */
export type Facts = {
  seed: number;
  digest: string;
  all: number;
  ignored: Readonly<Record<string, number>>;
  firstLook?: FirstLook | undefined;
};

/** The share of mutants that the suites have to notice. */
export const goal = 0.9;

export type Reasons = ReadonlyMap<string, Reason>;

/** In a few lines: how many were noticed, and which ones survive without a reason. */
export function summaryOf(tried: readonly Tried[], facts: Facts, reasons: Reasons = survivors) {
  const noticed = tried.filter(({ fate }) => fate.is === 'noticed').length;
  const unexplained = tried.filter(({ mutant, fate }) => fate.is !== 'noticed' && !reasons.has(mutant.key));
  const lines = [
    shareInWords(noticed, tried.length, facts.all),
    toldApartInWords(tried, reasons),
    ...unexplained.map(({ mutant, fate }) => `no reason: ${fateInWords(fate)}: ${mutant.key}`),
  ];
  return { lines, holds: tried.length > 0 && noticed >= goal * tried.length && unexplained.length === 0 };
}

/** Puts the table beside STRENGTH.md and its summary into it. */
export function writeFindings(tried: readonly Tried[], facts: Facts): void {
  writeFileSync(join(import.meta.dirname, '..', 'MUTANTS.md'), table(tried, facts));
  writeSection('The mutants', section(tried, facts));
}

export function section(tried: readonly Tried[], facts: Facts, reasons: Reasons = survivors): string {
  const noticed = tried.filter(({ fate }) => fate.is === 'noticed').length;
  return [
    'Small changes of our own servers, made by the instrumenter of Stryker: a condition turned round, a call left out,',
    'a text emptied.',
    shareInWords(noticed, tried.length, facts.all),
    toldApartInWords(tried, reasons),
    ...firstLookInWords(facts),
    goalInWords(tried, reasons),
    '[MUTANTS.md](MUTANTS.md) has the numbers by part and every survivor.',
    '',
    'Written by `npm run mutants -- --write`.',
  ].join('\n');
}

export function table(tried: readonly Tried[], facts: Facts, reasons: Reasons = survivors): string {
  const noticed = tried.filter(({ fate }) => fate.is === 'noticed').length;
  const lines = [
    '# Mutants of our own servers',
    '',
    `Written by \`npm run mutants -- --write\`, seed ${facts.seed}, sources ${facts.digest}.`,
    '',
    shareInWords(noticed, tried.length, facts.all),
    toldApartInWords(tried, reasons),
    ...firstLookInWords(facts),
    'A mutant counts as noticed when a check of either suite, asked with `--profile boxgate`, fails or runs out of time, twice.',
    'Only checks whose server executes the changed piece are run. A finding is kept until the file of the mutant or the',
    'check that noticed it changes. Checks are written for what a sample shows, so that its share says more of itself than',
    'of all the others: a further one (`--seed S`) tells how far they go.',
    goalInWords(tried, reasons),
    '',
    '## By part',
    '',
    ...partRows(tried),
    '',
    '## By sort of change',
    '',
    ...kindRows(tried),
    '',
    '## Left out',
    '',
    ...Object.entries(facts.ignored).map(([reason, count]) => `- ${count} changes: ${reason}`),
    ...leftOut.map(({ reason }) => `- files of \`src\`: ${reason}`),
    '',
    '## Survivors',
    '',
    ...reasonRows(tried, reasons),
    '',
    ...survivorRows(tried, reasons),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function shareInWords(noticed: number, size: number, all: number): string {
  const share = size === 0 ? 0 : noticed / size;
  if (size >= all) return `All ${all} were tried, and ${noticed} of them are noticed: ${percent(share)}.`;
  const [low, high] = interval(noticed, size, all);
  return (
    `Of ${all}, a uniform sample of ${size} was tried, and ${noticed} of them are noticed: ${percent(share)}; ` +
    `of all of them between ${percent(low)} and ${percent(high)}, with 95 % certainty.`
  );
}

/** Without the survivors that were looked at and that no check could notice: their reasons say why. */
function tellable(tried: readonly Tried[], reasons: Reasons): Tried[] {
  return tried.filter(({ mutant, fate }) => fate.is === 'noticed' || !isBeyondChecks(mutant.key, reasons));
}

/** The second figure: never in the place of the first. */
function toldApartInWords(tried: readonly Tried[], reasons: Reasons): string {
  const others = tellable(tried, reasons);
  const noticed = others.filter(({ fate }) => fate.is === 'noticed').length;
  const [low, high] = interval(noticed, others.length);
  const share = others.length === 0 ? 0 : noticed / others.length;
  return (
    `${tried.length - others.length} of the survivors are, by their reasons below, the same server or differ where ` +
    `nobody outside sees it; without those ${noticed} of ${others.length} are noticed: ${percent(share)}, ` +
    `of all such between ${percent(low)} and ${percent(high)}.`
  );
}

/** How far the checks go that were there already. */
function firstLookInWords({ firstLook, all }: Facts): string[] {
  if (firstLook === undefined) return [];
  const { tried, noticed, tellable } = firstLook;
  const share = (hits: number, size: number, whole?: number) =>
    `${percent(hits / size)}, between ${interval(hits, size, whole).map(percent).join(' and ')}`;
  return [
    `At the first look, before a check was written for anything in it, ${noticed} of ${tried} were noticed: ` +
      `${share(noticed, tried, all)}; ${noticed} of the ${tellable} that somebody outside could tell: ` +
      `${share(noticed, tellable)}.`,
  ];
}

/** Whether the goal is reached, and how far what is known may still move. */
function goalInWords(tried: readonly Tried[], reasons: Reasons): string {
  const open = tried.filter(({ fate }) => fate.is === 'survives' && fate.left > 0).length;
  const verdict = (list: readonly Tried[]) =>
    list.filter(({ fate }) => fate.is === 'noticed').length >= goal * list.length
      ? 'it is reached'
      : 'it is not reached';
  return (
    `The goal is ${percent(goal)}: of all of them ${verdict(tried)}, of those that somebody outside could tell ` +
    `${verdict(tellable(tried, reasons))}. For ${open} of the survivors there are checks that were not tried yet.`
  );
}

const partOf = (file: string) => file.split('/').slice(0, 2).join('/');

function partRows(tried: readonly Tried[]): string[] {
  return countRows('part', tried, ({ mutant }) => `\`${partOf(mutant.file)}\``);
}

function kindRows(tried: readonly Tried[]): string[] {
  return countRows('sort', tried, ({ mutant }) => mutant.kind);
}

function countRows(title: string, tried: readonly Tried[], groupOf: (one: Tried) => string): string[] {
  const groups = Map.groupBy(tried, groupOf);
  const rows = [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
  const line = (name: string, list: readonly Tried[]) => {
    const count = (is: string) => list.filter(({ fate }) => fate.is === is).length;
    const late = list.filter(({ fate }) => fate.is === 'noticed' && fate.outcome === 'timeout').length;
    const noticed = count('noticed');
    const cells = [name, list.length, noticed, late, count('survives'), count('not reached')];
    return `| ${cells.join(' | ')} | ${percent(list.length === 0 ? 0 : noticed / list.length)} |`;
  };
  return [
    `| ${title} | tried | noticed | of these by time | survive | reached by no check | share |`,
    '| --- | --: | --: | --: | --: | --: | --: |',
    ...rows.map(([name, list]) => line(name, list)),
    line('all', tried),
  ];
}

const notLooked: Reason = { kind: 'not looked at yet', words: '' };

function reasonRows(tried: readonly Tried[], reasons: Reasons): string[] {
  const left = tried.filter(({ fate }) => fate.is !== 'noticed');
  const kinds = left.map(({ mutant }) => (reasons.get(mutant.key) ?? notLooked).kind);
  return kindsOfReasons.map((name) => `- ${name}: ${kinds.filter((one) => one === name).length}`);
}

function reasonInWords({ kind, words }: Reason = notLooked): string {
  return words === '' ? kind : `${kind}: ${words}`;
}

function survivorRows(tried: readonly Tried[], reasons: Reasons): string[] {
  const rows = tried
    .filter(({ fate }) => fate.is !== 'noticed')
    .sort((a, b) => (a.mutant.key < b.mutant.key ? -1 : 1));
  return [
    '| mutant | how it came out | reason |',
    '| --- | --- | --- |',
    ...rows.map(({ mutant, fate }) => {
      const cells = [code(mutant.key), fateInWords(fate), reasonInWords(reasons.get(mutant.key))];
      return `| ${cells.join(' | ')} |`;
    }),
  ];
}

/** As code in a cell of a table, whatever it holds. */
function code(text: string): string {
  const fence = '`'.repeat(Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length)) + 1);
  const pad = text.includes('`') ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`.replaceAll('|', '\\|');
}

function fateInWords(fate: Tried['fate']): string {
  if (fate.is === 'not reached') return 'no check reaches it';
  if (fate.is === 'noticed') return `noticed by ${fate.by}`;
  return fate.left === 0
    ? `${fate.passed} checks pass`
    : `${fate.passed} checks pass, ${fate.left} were not tried`;
}
