import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './sources.ts';

/** A piece of source as the instrumenter shows it. */
export type Piece = { type: string; [field: string]: unknown };

export const freeWording = 'a sentence for people whose words no document of spec/ fixes';
export const errorName = 'the name of a sort of error, which only a log shows';
export const sameWithout = 'a block that does what would be done without it';

/**
 * Why no change to this piece is worth a run, or undefined. Of sentences that stand in a document every change is
 * tried; what else somebody reads in a log or a detail may be worded as one likes.
 */
export function noiseIn(piece: Piece, documents: string): string | undefined {
  if (isFreelyWorded(piece, documents)) return freeWording;
  if (piece.type === 'ClassProperty' && nameOf(piece.key) === 'name') return errorName;
  if (piece.type === 'BlockStatement' && returnsNothing(piecesOf(piece.body))) return sameWithout;
  return undefined;
}

/** In the form that the instrumenter asks for. */
export function noiseIgnorer(): { shouldIgnore: (path: object) => string | undefined } {
  const documents = globSync('spec/*.{md,yaml}', { cwd: root })
    .map((name) => readFileSync(join(root, name), 'utf8'))
    .join('\n');
  return { shouldIgnore: (path) => noiseIn((path as { node: Piece }).node, documents) };
}

/** A text, or what only holds such texts, as the parts of a refusal do. */
function isFreelyWorded(piece: Piece, documents: string): boolean {
  if (piece.type === 'ObjectExpression') {
    const values = piecesOf(piece.properties).map(({ value }) => value as Piece | undefined);
    return values.length > 0 && values.every((value) => value && isFreelyWorded(value, documents));
  }
  const sentences = textsOf(piece).filter(isSentence);
  return sentences.length > 0 && !sentences.some((text) => documents.includes(text.trim()));
}

function textsOf({ type, value, quasis }: Piece): string[] {
  if (type === 'StringLiteral') return [String(value)];
  if (type !== 'TemplateLiteral') return [];
  return piecesOf(quasis).map((part) => (part.value as unknown as { raw: string }).raw);
}

/** Two words of small letters side by side, and no statement of a database. */
function isSentence(text: string): boolean {
  return /(^|[\s,:;])[a-z]+[ ,;:]+[a-z]{2,}\b/.test(text) && !statement.test(text) && !text.includes('\n');
}

const statement = /\b(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|PRAGMA|WHERE|RETURNING|VALUES|FROM)\b/;

function returnsNothing([only, ...more]: readonly Piece[]): boolean {
  if (only?.type !== 'ReturnStatement' || more.length > 0) return false;
  return !only.argument || nameOf(only.argument) === 'undefined';
}

const piecesOf = (list: unknown): Piece[] => (Array.isArray(list) ? (list as Piece[]) : []);
const nameOf = (piece: unknown) => (piece as { name?: unknown } | null)?.name;
