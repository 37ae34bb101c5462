import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnyContext } from '../kernel/check.ts';
import { readRules } from '../kernel/rules.ts';
import { type FaultTable, rowsOf } from './fault.ts';

const file = join(import.meta.dirname, '..', 'STRENGTH.md');

/** The ids of the musts, or of the shoulds, that at least one check cites. */
export function checkedIds<Context extends AnyContext>({ api }: FaultTable<Context>, level: 'must' | 'should') {
  const cited = new Set(api.checks.flatMap(({ rules }) => rules));
  const rules = [...readRules(api.name).values()].filter((rule) => rule.level === level);
  return rules.map(({ id }) => id).filter((id) => cited.has(id));
}

/** Replaces the section of this API in STRENGTH.md. Call it only if all faults are noticed. */
export function writeSection<Context extends AnyContext>(table: FaultTable<Context>, seconds: number): void {
  const title = `## The ${table.api.name}\n`;
  const sections = readFileSync(file, 'utf8').split(/^(?=## )/m);
  const replaced = sections.map((section) =>
    section.startsWith(title) ? `${title}\n${describe(table, seconds)}\n` : section,
  );
  writeFileSync(file, `${replaced.join('').trimEnd()}\n`);
}

function describe<Context extends AnyContext>(table: FaultTable<Context>, seconds: number): string {
  const [musts, shoulds] = [checkedIds(table, 'must').length, checkedIds(table, 'should').length];
  const reasons = Object.entries(table.unbroken);
  const day = new Date().toISOString().slice(0, 10);
  return [
    `${day}: all ${rowsOf(table).length} faults were noticed, in ${seconds} s.`,
    `The suite checks ${musts} musts and ${shoulds} shoulds. The faults break ${musts + shoulds - reasons.length} of these.`,
    ...(reasons.length === 0 ? [] : ['No fault breaks these:', '']),
    ...reasons.map(([id, reason]) => `- \`${id}\`: ${reason}`),
    '',
  ].join('\n');
}
