import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../spec/package-root.ts';
import type { Level } from '../../kernel/rules.ts';
import { failsRun, type Gate, hasPassed, isBroken, outcomes, type Result } from '../../run/result.ts';
import { makeReport, type Report, type ReportedCheck, type ReportedRequirement, type RunFacts } from '../report.ts';
import { coverageSection } from './html-coverage.ts';
import { outcomeMark, requirementItem, sentence, topicsOf } from './html-requirement.ts';
import { html, Markup } from './markup.ts';

/**
 * A self-contained page that lists all requirements with their checks and failures. It is readable without its script,
 * which only filters. Its content security policy forbids everything else.
 */
export function htmlReport(results: Result[], facts: RunFacts): string {
  const report = makeReport(results, facts);
  const [style, script] = ['page.css', 'page.js'].map((name) =>
    readFileSync(join(packageRoot, 'conformance/report/html', name), 'utf8'),
  );
  return page(report, facts, { style: style ?? '', script: script ?? '' }).text;
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

function page(report: Report, gate: Gate, { style, script }: Record<'style' | 'script', string>): Markup {
  const policy = `default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(script)}; base-uri 'none'; form-action 'none'`;
  const checks = new Map(report.checks.map((check) => [check.id, check]));
  const told = { checks, firstOf: firstRequirements(report), required: report.required };
  const title = `${report.suite}: ${titleOf(report)}`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${new Markup(style)}</style>
</head>
<body>
${header(report, title)}
<main>
${firstSteps(report, gate)}
${filters(report)}
${groupsOf(report).map(([name, requirements]) => group(name, requirements, told))}
${coverageSection(report.coverage)}
</main>
<script>${new Markup(script)}</script>
</body>
</html>
`;
}

function titleOf({ holds, complete }: Report): string {
  if (!complete) return holds ? 'the chosen checks pass' : 'the chosen checks fail';
  return holds ? 'conforms' : 'does not conform';
}

function header(report: Report, title: string): Markup {
  const facts = [
    ['Implementation', report.exec],
    [
      'Required',
      [...report.required.map((level) => `${level}s`), ...(report.set === 'all' ? [] : [`of ${report.set}`])].join(' '),
    ],
    ['Suite', `version ${report.suite_version}`],
    ['Specification', report.specification.slice(0, 19)],
    ['Seed', String(report.seed)],
  ];
  return html`<header>
<h1>${title}</h1>
<p class="verdict">${report.verdict}</p>
${levelCounts(report)}
<dl class="facts">
${facts.map(([name = '', value = '']) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>
</header>`;
}

function levelCounts({ levels, required }: Report): (Markup | null)[] {
  return Object.entries(levels).map(([level, counts]) => {
    const found = outcomes.filter((outcome) => counts[outcome] > 0);
    if (found.length === 0) return null;
    return html`<ul class="counts" aria-label="Checks of the level ${level} by outcome">
<li class="level">${level}${required.includes(level as Level) ? null : ' (not required)'}</li>
${found.map((outcome) => html`<li>${outcomeMark(outcome)} ${counts[outcome]}</li>\n`)}</ul>
`;
  });
}

/** The failures that make the run fail, and those of the other levels, which begin closed. */
function firstSteps({ checks, requirements }: Report, gate: Gate): (Markup | null)[] {
  const byId = new Map(requirements.map((one) => [one.id, one]));
  const isRequired = (one: ReportedCheck) => failsRun(one, gate);
  return [
    failureList('broken', 'What has to be fixed', checks.filter(isRequired), byId),
    failureList(
      'other',
      'What also differs, but is not required',
      checks.filter((one) => isBroken(one) && !isRequired(one)),
      byId,
    ),
  ];
}

/** Each failed check below the sentences that it proves. */
function failureList(
  id: string,
  title: string,
  broken: readonly ReportedCheck[],
  requirements: ReadonlyMap<string, ReportedRequirement>,
): Markup | null {
  if (broken.length === 0) return null;
  const isOpen = id === 'broken' && broken.length <= 12;
  const rows = broken.map(
    (one) =>
      html`<li>${one.rules.map((rule) => ruleLine(requirements.get(rule)))}${outcomeMark(one.outcome)} <a href="#check:${one.id}">${one.id}</a> <span class="level">${one.level}${one.added ? ', added later' : null}</span> ${one.title}</li>\n`,
  );
  return html`<section class="broken" aria-labelledby="${id}">
<h2 id="${id}">${title} (${broken.length})</h2>
<details ${new Markup(isOpen ? 'open' : '')}><summary>The checks, in the order of the suite</summary>
<ol>
${rows}</ol>
</details>
</section>`;
}

const ruleLine = (rule: ReportedRequirement | undefined): Markup | null =>
  rule === undefined ? null : html`<p class="rule"><span class="id">${rule.id}</span> ${sentence(rule)}</p>`;

function filters({ requirements, levels }: Report): Markup {
  const option = (value: string) => html`<option>${value}</option>`;
  const found = [...new Set(requirements.map((one) => one.outcome))].sort();
  const topics = [...new Set(requirements.flatMap((one) => topicsOf(one)))].sort();
  const select = (name: string, label: string, values: string[]) =>
    html`<label>${label} <select name="${name}"><option value="">all</option>${values.map(option)}</select></label>\n`;
  return html`<form class="filters" hidden aria-label="Filter the requirements">
${select('outcome', 'Outcome', found)}${select('level', 'Level', Object.keys(levels))}${select('topic', 'Operation', topics)}<label>Text <input type="search" name="text"></label>
<p role="status"></p>
</form>`;
}

/** Groups requirements by their section in the register. */
function groupsOf({ requirements }: Report): [string, ReportedRequirement[]][] {
  const groups = Map.groupBy(requirements, ({ id, level }) =>
    level === 'must' ? (id.split('/')[1] ?? '') : `${level}s`,
  );
  return [...groups];
}

type CheckPlaces = {
  checks: ReadonlyMap<string, ReportedCheck>;
  firstOf: ReadonlyMap<string, string>;
  required: readonly Level[];
};

function group(
  name: string,
  requirements: readonly ReportedRequirement[],
  { checks, firstOf, required }: CheckPlaces,
): Markup {
  const items = requirements.map((one) => {
    const proofs = one.checks.flatMap((id) => checks.get(id) ?? []);
    const told = proofs.map((check) => ({ check, under: firstOf.get(check.id) ?? one.id }));
    return requirementItem(one, told, { topics: topicsOf(one), isRequired: required.includes(one.level) });
  });
  const shown = requirements.filter(hasPassed).length;
  return html`<section class="group" aria-labelledby="group:${name}">
<h2 id="group:${name}">${name} <small>${shown} of ${requirements.length} pass</small></h2>
${items}</section>
`;
}

/** A check is shown in full only once, below the first requirement that it cites. */
function firstRequirements({ requirements }: Report): Map<ReportedCheck['id'], string> {
  const first = new Map<string, string>();
  for (const { id, checks } of requirements) {
    for (const check of checks) if (!first.has(check)) first.set(check, id);
  }
  return first;
}
