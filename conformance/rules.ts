import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A statement of the register: `spec/box.md` has the musts, `spec/choices.md` the choices. */
export type Rule = { id: string; level: Level; text: string };
export type Level = 'must' | 'choice';

const folder = join(import.meta.dirname, '..', 'spec');

/** Every rule that can be checked, by id; notes state nothing to check and are left out. */
export function readRules(): Map<string, Rule> {
  const texts = ['box.md', 'choices.md'].map((file) => readFileSync(join(folder, file), 'utf8'));
  return new Map(texts.flatMap(parseRules).map((rule) => [rule.id, rule]));
}

/** The entries of one document of the register: `- **id** (level) …: statement`, or a heading with a choice's id. */
export function parseRules(text: string): Rule[] {
  const entry =
    /^(?:- |#+ )\*{0,2}((?:choice\/)?box\/[A-Za-z-]*\/?\d+)\*{0,2}(?: \((must|choice|note)\))?([\s\S]*?)(?=\n(?:- \*\*|#)|\n*$(?![\s\S]))/gm;
  return [...text.matchAll(entry)].flatMap(([, id = '', level, rest = '']) => {
    if (level === 'note') return [];
    const statement = rest
      .replace(/^\s*(\[[^\]]*\])?\s*:?\s*/, '')
      .replace(/\s+/g, ' ')
      .trim();
    return [{ id, level: id.startsWith('choice/') ? 'choice' : 'must', text: statement } as const];
  });
}
