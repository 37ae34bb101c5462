import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Dialect } from '../model/dialect.ts';

/** Recorded exchanges with a real wg-easy; `format` in the files explains the fields. */
export type Recording = {
  version: string;
  recorded: string;
  patterns: Record<string, string>;
  exchanges: RecordedExchange[];
};

export type RecordedExchange = {
  name: string;
  request: { method: string; path: string; headers: Record<string, string>; body: string | null };
  response: RecordedAnswer;
  volatile: { at: string; pattern: string }[];
  uses?: { cookie?: string; tampered?: string; client?: string };
  state?: string;
  group?: string;
};

export type RecordedAnswer = {
  status: number;
  statusText: string;
  headers: Record<string, string | string[]>;
  body: string;
};

export function readRecording(dialect: Dialect): Recording {
  const file = join(import.meta.dirname, '..', 'recordings', `${dialect}.json`);
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Masks the parts of a response that the recording marks as variable. */
export function maskAnswer(recording: Recording, exchange: RecordedExchange, answer: RecordedAnswer): RecordedAnswer {
  const masked = structuredClone(answer);
  for (const { at, pattern } of exchange.volatile) {
    const [place = '', inside] = at.split('#');
    const [, part, member = '', index] = place.split('/');
    if (part !== 'response') continue;
    const mask = (text: string) => text.replace(new RegExp(recording.patterns[pattern] ?? '', 'g'), pattern);
    if (member === 'body')
      masked.body = inside === undefined ? mask(masked.body) : maskInside(masked.body, inside, mask);
    else if (member === 'statusText') masked.statusText = mask(masked.statusText);
    else if (index !== undefined) masked.headers = maskHeader(masked.headers, index, mask);
    else throw new Error(`cannot mask the place ${at}`);
  }
  return masked;
}

/** Masks one string in a JSON text. */
function maskInside(text: string, pointer: string, mask: (text: string) => string): string {
  const value = pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((found, key) => Object(found)[key], parsed(text));
  if (typeof value !== 'string') return text;
  return text.replaceAll(JSON.stringify(value), JSON.stringify(mask(value)));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The comparison will report the difference.
    return null;
  }
}

function maskHeader(headers: RecordedAnswer['headers'], name: string, mask: (text: string) => string) {
  const value = headers[name];
  if (value === undefined) return headers;
  return { ...headers, [name]: Array.isArray(value) ? value.map(mask) : mask(value) };
}
