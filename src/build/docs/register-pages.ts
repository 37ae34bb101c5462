import type { PublishedCheck } from '../../../conformance/published-checks.ts';
import { html, type Markup } from '../../../conformance/report/markup.ts';
import { parseRegister, type Rule } from '../../../spec/register.ts';
import { markdown, sentence, slug } from './markdown.ts';

type Section = { id: string; title: string; prose: string; rules: Rule[] };

/** Splits a text of the register into sections. The text before the first `## ` becomes a section without a title. */
export function sectionsOf(text: string): Section[] {
  const used = new Map<string, number>();
  return text.split(/^## /m).map((part, index) => {
    const [title = '', ...lines] = index === 0 ? ['', part] : part.split('\n');
    const body = lines.join('\n');
    const prose = body.replace(/^- \*\*(?:choice|box|gateway)\/.*\n(?: {2}.*(?:\n|$))*/gm, '').trim();
    return { id: index === 0 ? '' : slug(title, used), title, prose, rules: parseRegister(body) };
  });
}

/** A page of requirements or choices. `text` is Markdown whose title is `# …`. */
export function registerPage(text: string, checks: readonly PublishedCheck[]): Markup {
  const [start, ...sections] = sectionsOf(text);
  return html`${markdown(start?.prose ?? '')}
${contents(sections.map(({ id, title, rules }) => ({ id, title, count: rules.length })))}
${sections.map(
  ({ id, title, prose, rules }) => html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${markdown(prose)}${rules.map((rule) =>
  ruleEntry(
    rule,
    checks.filter((check) => check.rules.includes(rule.id)),
  ),
)}</section>
`,
)}`;
}

function contents(sections: readonly { id: string; title: string; count: number }[]): Markup {
  const items = sections.map(
    ({ id, title, count }) => html`<li><a href="#${id}">${title}</a> <small>${count}</small></li>\n`,
  );
  return html`<nav class="contents" aria-label="On this page"><ul>
${items}</ul></nav>`;
}

function ruleEntry(rule: Rule, checks: readonly PublishedCheck[]): Markup {
  return html`<article class="entry" id="${rule.id}">
<h3><a href="#${rule.id}">${rule.id}</a> ${level(rule.level)}</h3>
${rule.id.startsWith('choice/') ? decision(rule) : requirement(rule)}
${rule.remark === '' ? null : html`<p class="source">${sentence(rule.remark)}</p>\n`}${proofs(checks)}</article>
`;
}

const level = (name: string): Markup => html`<span class="level ${name}">${name}</span>`;

const requirement = ({ text, source }: Rule): Markup => html`<p>${sentence(text)}</p>
<p class="source">Requirement document: ${sentence(source)}</p>`;

function decision({ source: question, text, reason }: Rule): Markup {
  const [, answer = text, why = ''] = /^(.*) Why: (.*)$/.exec(text) ?? [];
  const rows = [
    ['Question', html`<em>${sentence(question)}</em>`],
    ['Answer', sentence(answer)],
    ['Why', sentence(why)],
    ['Level', sentence(reason)],
  ] as const;
  return html`<dl>
${rows.filter(([, value]) => value.text !== '').map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>\n`)}</dl>`;
}

function proofs(checks: readonly PublishedCheck[]): Markup | null {
  if (checks.length === 0) return null;
  const items = checks.map(({ id, title }) => html`<li>${id} <span>${sentence(title)}</span></li>\n`);
  return html`<details><summary>${checks.length} ${checks.length === 1 ? 'check' : 'checks'}</summary><ul class="checks">
${items}</ul></details>
`;
}

/** A page of all checks of a suite, by operation. */
export function checksPage(title: string, checks: readonly PublishedCheck[]): Markup {
  const groups = [...Map.groupBy(checks, ({ id }) => id.split('/')[1] ?? '')];
  return html`<h1>${title}</h1>
<p>What the conformance suite checks, and which requirements and choices each check shows.</p>
${contents(groups.map(([name, group]) => ({ id: name, title: name, count: group.length })))}
${groups.map(
  ([name, group]) => html`<section aria-labelledby="${name}">
<h2 id="${name}">${name}</h2>
${group.map(
  ({ id, title: obligation, level: of, rules }) => html`<article class="entry" id="${id}">
<h3><a href="#${id}">${id}</a> ${level(of)}</h3>
<p>${sentence(obligation)}</p>
<p class="source">Shows ${rules.join(', ')}</p>
</article>
`,
)}</section>
`,
)}`;
}
