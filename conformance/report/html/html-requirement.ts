import { isBroken } from '../../run/result.ts';
import type { Evidence } from '../evidence.ts';
import type { ReportedCheck, ReportedRequirement, RequirementOutcome } from '../report.ts';
import type { ShownExchange } from '../shown-exchange.ts';
import { type Content, html, Markup } from './markup.ts';

export function outcomeMark(outcome: RequirementOutcome, text: string = outcome): Markup {
  return html`<span class="outcome ${outcome}">${text}</span>`;
}

/** The filter topics of a requirement: the parts of the specification that it and its checks belong to. */
export function topicsOf({ id, level, checks }: ReportedRequirement): string[] {
  const topic = (path: string) => path.split('/')[1] ?? '';
  return [...new Set([...(level === 'must' ? [topic(id)] : []), ...checks.map(topic)])];
}

export type PlacedCheck = { check: ReportedCheck; under: string };

/** One requirement. Required ones that fail are expanded. */
export function requirementItem(
  one: ReportedRequirement,
  told: readonly PlacedCheck[],
  { topics, isRequired }: { topics: string[]; isRequired: boolean },
): Markup {
  const open = new Markup(isBroken(one) && isRequired ? ' open' : '');
  const proofs = told.map(({ check, under }) => (under === one.id ? wholeCheck(check) : otherCheck(check, under)));
  return html`<details class="requirement" id="${one.id}" data-outcome="${one.outcome}" data-level="${one.level}" data-topics="${topics.join(' ')}"${open}>
<summary>${outcomeMark(one.outcome, one.outcome === 'not-run' ? elsewhere[one.checked_by] : one.outcome)} <span class="text"><span class="id">${one.id}</span> ${sentence(one)}</span> <span class="level">${one.level}</span></summary>
${one.level === 'must' ? html`<p class="source">Requirement document: ${one.source}</p>` : null}
${proofs.length === 0 ? html`<p class="source">${noChecks[one.checked_by]}</p>` : html`<ul class="checks">${proofs}</ul>`}
</details>
`;
}

/** A should or a choice is shown as its question and its answer. */
export function sentence({ level, source, text }: ReportedRequirement): Markup {
  return html`${level === 'must' ? null : html`<em>${withCode(source)}</em> `}${withCode(text)}`;
}

const withCode = (text: string): Content =>
  text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`));

const elsewhere: Record<ReportedRequirement['checked_by'], string> = {
  suite: 'not run',
  browser: 'elsewhere',
  html: 'elsewhere',
  unit: 'elsewhere',
  nothing: 'not checked',
};

const noChecks: Record<ReportedRequirement['checked_by'], string> = {
  suite: 'None of its checks was part of this run.',
  browser: 'It shows in a browser, beyond this suite.',
  html: 'It shows in the page itself, beyond this suite.',
  unit: 'No answer shows it: it is a matter of unit tests.',
  nothing: 'It cannot be checked; the specification says why.',
};

const heading = ({ outcome, id, title, milliseconds }: ReportedCheck): Markup =>
  html`<p>${outcomeMark(outcome)} <span class="id">${id}</span> ${title} <small>${milliseconds} ms</small></p>`;

function wholeCheck(check: ReportedCheck): Markup {
  const reason = check.reason === '' ? null : html`<pre class="reason">${check.reason}</pre>`;
  return html`<li id="check:${check.id}">${heading(check)}${reason}${check.evidence.map(evidenceItem)}${commandOf(check)}${exchangeList(check.exchanges)}${scriptOf(check)}</li>
`;
}

const evidenceItem = ({ about, lines }: Evidence): Markup =>
  html`<p class="source">${about}</p><pre>${lines.join('\n')}</pre>`;

const commandOf = ({ command }: ReportedCheck): Markup | null =>
  command === '' ? null : html`<p class="source">Run it again</p><pre>${command}</pre>`;

const scriptOf = ({ script }: ReportedCheck): Markup | null =>
  script === ''
    ? null
    : html`<details class="script"><summary>As a script of bash and curl</summary><pre>${script}</pre></details>`;

function otherCheck({ id, outcome, title }: ReportedCheck, under: string): Markup {
  return html`<li><p>${outcomeMark(outcome)} <span class="id">${id}</span> ${title}, told under <a href="#${under}">${under}</a></p></li>
`;
}

function exchangeList(exchanges: readonly ShownExchange[]): Markup | null {
  if (exchanges.length === 0) return null;
  const count = exchanges.length === 1 ? 'The exchange' : `The latest ${exchanges.length} exchanges`;
  return html`<details class="exchanges"><summary>${count}</summary><ol>${exchanges.map(exchangeItem)}</ol></details>`;
}

function exchangeItem(one: ShownExchange): Markup {
  const sent = message(`${one.method} ${one.path} HTTP/1.1`, one.request_headers, one.request_body);
  const answered = message(`HTTP/1.1 ${one.status}`, one.headers, one.body);
  return html`<li><pre class="sent">${sent}</pre><pre class="answered">${answered}</pre></li>`;
}

function message(first: string, headers: Record<string, string>, body: string): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [first, ...lines, ...(body === '' ? [] : ['', body])].join('\n');
}
