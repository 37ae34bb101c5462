import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidOption } from '../kernel/invalid-option.ts';

const file = join(import.meta.dirname, '..', 'STRENGTH.md');
const head = `# How strong the suite is

A suite that passes everybody is worth nothing, so it is held against servers that are wrong in one small thing each.
A fault counts as noticed when a check fails that cites the very requirement that the fault breaks. The tables are
written by the commands that run the faults; see [faults/](faults/).
`;

/** Puts a section in the place of the one with this title, sections by title; nothing else in the file changes. */
export function writeSection(title: string, text: string): void {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : head;
  const [start = '', ...sections] = before.split(/^(?=## )/m);
  const own = `## ${title}\n\n${text.trim()}\n`;
  const isOwn = (section: string) => section.startsWith(`## ${title}\n`);
  const kept = sections.map((section) => (isOwn(section) ? own : section).trimEnd());
  if (!sections.some(isOwn)) kept.push(own.trimEnd());
  writeFileSync(file, `${[start.trimEnd(), ...kept.sort()].join('\n\n')}\n`);
}

/** Throws on a name that no fault has: to try none of them is not to notice all. */
export function refuseUnknown(names: readonly string[], faults: readonly { name: string }[]): void {
  const unknown = names.filter((name) => faults.every((fault) => fault.name !== name));
  if (unknown.length > 0) throw new InvalidOption(`no fault has the name ${unknown.join(', ')}`);
}
