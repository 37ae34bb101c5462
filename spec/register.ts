/**
 * Reads the register: the entries of box.md, gateway.md, shoulds.md and choices.md, and the ids that other texts cite.
 *
 * An entry is a list item: `- **box/icon/3** (must) [Icon rules]: …`, `- **should/box/503** (what is lost) _Question?_ …` or
 * `- **choice/box/7** _Question?_ …`. It may end in one remark between underscores: `_Checked in the browser._`,
 * `_Checked in the HTML._`, `_Checked in unit tests._`, or `_Not checked: …_`. Without a remark, a check of the
 * conformance suite must name it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './package-root.ts';

export type Service = 'box' | 'gateway';
export type Level = 'must' | 'should' | 'choice' | 'note';
export type CheckedBy = 'suite' | 'browser' | 'html' | 'unit' | 'nothing';

export type Rule = {
  readonly id: string;
  readonly level: Level;
  /** What is lost without a should. Empty for others. */
  readonly reason: string;
  /** The section of the requirement document; for a should or a choice, its question. */
  readonly source: string;
  readonly text: string;
  readonly checkedBy: CheckedBy;
  /** The remark at its end, such as `Not checked: …`. Empty if it has no remark. */
  readonly remark: string;
};

const item = /^- \*\*(.+?)\*\* ([\s\S]+?)(?=\n- |\n#|\n\n|$(?![\s\S]))/gm;
const ruleForm = /^\((must|note)\) \[([^\]]+)\]: (.+)$/;
const questionForm = /^(?:\(([^()]+)\) )?_(.+?\?)_ (.+ Why: .+)$/;
const remarks: Readonly<Record<string, CheckedBy>> = {
  'Checked in the browser.': 'browser',
  'Checked in the HTML.': 'html',
  'Checked in unit tests.': 'unit',
};

/** The entries of one text of the register, in its order. Throws for a malformed entry. */
export function parseRegister(text: string): Rule[] {
  const entries = [...text.matchAll(item)].map(([, id = '', rest = '']) => ({ id, rest: rest.replace(/\s+/g, ' ') }));
  const rules = entries.filter(({ id }) => id.includes('/')).map(({ id, rest }) => parseEntry(id, rest.trim()));
  const starts = text.match(/^- \W*((should|choice)\/(box|gateway)|(box|gateway)\/[\w-]+)\/\d/gm)?.length ?? 0;
  if (starts !== rules.length) throw new Error(`${starts} lines start like an entry, ${rules.length} are one`);
  return rules;
}

function parseEntry(id: string, rest: string): Rule {
  const [, body = rest, remark = ''] = /^(.+?) _((?:Checked|Not checked)[^_]*)_$/.exec(rest) ?? [];
  const checkedBy = checkedByOf(id, remark);
  const rule = ruleForm.exec(body);
  if (rule !== null && /^(box|gateway)\/[A-Za-z-]+\/[1-9]\d*$/.test(id)) {
    const [, level, source = '', text = ''] = rule;
    return { id, level: level === 'note' ? 'note' : 'must', reason: '', source, text, checkedBy, remark };
  }
  const question = questionForm.exec(body);
  const level = /^(should|choice)\/(?:box|gateway)\/[1-9]\d*$/.exec(id)?.[1];
  if (question !== null && level !== undefined) {
    const [, reason = '', source = '', text = ''] = question;
    if ((level === 'should') === (reason !== ''))
      return { id, level: level === 'should' ? 'should' : 'choice', reason, source, text, checkedBy, remark };
  }
  throw new Error(`${id}: not the form of an entry: ${rest}`);
}

function checkedByOf(id: string, remark: string): CheckedBy {
  if (remark === '') return 'suite';
  if (/^Not checked: .+\.$/.test(remark)) return 'nothing';
  const checkedBy = remarks[remark];
  if (checkedBy === undefined) throw new Error(`${id}: unknown remark: ${remark}`);
  return checkedBy;
}

/** The rules, shoulds and choices of one service. */
export function readRegister(service: Service): Rule[] {
  const entries = [`${service}.md`, 'shoulds.md', 'choices.md'].flatMap((name) =>
    parseRegister(readFileSync(join(packageRoot, 'spec', name), 'utf8')),
  );
  return entries.filter(({ id }) => id.replace(/^(should|choice)\//, '').startsWith(`${service}/`));
}

/** All ids that a text cites. `box/icon/1-4` cites four. */
export function citedIds(text: string): string[] {
  const cited =
    /(?<![\w/.-])((?:(?:should|choice)\/(?:box|gateway)|(?:box|gateway)\/[A-Za-z]+(?:-[A-Za-z]+)*)\/)(\d+)(?:-(\d+))?(?![\w/]|-\w)/g;
  return [...text.matchAll(cited)].flatMap(([, stem = '', first = '', last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => `${stem}${Number(first) + index}`),
  );
}
