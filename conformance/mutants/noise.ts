import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './sources.ts';

/** What the instrumenter shows of a piece of source: enough to know a text. */
export type Shown = {
  node: { type: string; value?: unknown; quasis?: readonly { value: { raw: string } }[] };
};

export const freeWording = 'a sentence for people whose words no document of spec/ fixes';

/**
 * Why no change to this piece is worth a run, or undefined. Of sentences that stand in a document every change is
 * tried; what else somebody reads in a log or a detail may be worded as one likes.
 */
export function noiseIn({ node }: Shown, documents: string): string | undefined {
  const parts = textsOf(node);
  if (!parts.some(isSentence)) return undefined;
  return parts.filter(isSentence).some((part) => documents.includes(part.trim())) ? undefined : freeWording;
}

/** In the form that the instrumenter asks for. */
export function noiseIgnorer(): { shouldIgnore: (path: object) => string | undefined } {
  const documents = globSync('spec/*.{md,yaml}', { cwd: root })
    .map((name) => readFileSync(join(root, name), 'utf8'))
    .join('\n');
  return { shouldIgnore: (path) => noiseIn(path as Shown, documents) };
}

function textsOf({ type, value, quasis = [] }: Shown['node']): string[] {
  if (type === 'StringLiteral') return [String(value)];
  return type === 'TemplateLiteral' ? quasis.map((part) => part.value.raw) : [];
}

/** Two words of small letters side by side, and no statement of a database. */
function isSentence(text: string): boolean {
  return /(^|[\s,:;])[a-z]+[ ,;:]+[a-z]{2,}\b/.test(text) && !statement.test(text) && !text.includes('\n');
}

const statement = /\b(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|PRAGMA|WHERE|RETURNING|VALUES|FROM)\b/;
