import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { keyOf, type Mutant, textAt } from './mutant.ts';
import { noiseIgnorer } from './noise.ts';
import { root } from './sources.ts';

export type Instrumented = {
  /** The sources with every mutant in them, by path. */
  texts: ReadonlyMap<string, string>;
  mutants: Mutant[];
  /** Digests of the files as they are, by path. */
  sources: ReadonlyMap<string, string>;
  /** How many changes were left out, by reason. */
  ignored: Readonly<Record<string, number>>;
};

/** Puts every mutant of the files into their text; all are switched off. */
export async function instrument(files: readonly string[]): Promise<Instrumented> {
  const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const given = [...sources].map(([name, content]) => ({ name: join(root, name), content, mutate: true }));
  const result = await new Instrumenter(silent).instrument(given, {
    plugins: null,
    excludedMutations: [],
    ignorers: [noiseIgnorer()],
  });
  const texts = new Map(result.files.map(({ name, content }) => [relative(root, name), content]));
  const mutants: Mutant[] = [];
  const keys = new Set<string>();
  const ignored: Record<string, number> = {};
  for (const { id, fileName, location, mutatorName: kind, replacement: to, statusReason } of result.mutants) {
    if (statusReason !== undefined) {
      ignored[statusReason] = (ignored[statusReason] ?? 0) + 1;
      continue;
    }
    const file = relative(root, fileName);
    if (kind === 'Regex' && !isRegex(to)) {
      // It would keep the whole file from being read; whatever stands there instead is never switched on.
      texts.set(
        file,
        (texts.get(file) ?? '').replace(`("${id}") ? ${to}`, () => `("${id}") ? /never/`),
      );
      ignored[noProgram] = (ignored[noProgram] ?? 0) + 1;
      continue;
    }
    const key = keyOf({ file, to, ...textAt(sources.get(file) ?? '', location) }, keys);
    keys.add(key);
    mutants.push({ id, key, file, line: location.start.line + 1, kind });
  }
  const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);
  return {
    texts,
    mutants,
    sources: new Map([...sources].map(([file, text]) => [file, digest(text)])),
    ignored,
  };
}

const noProgram = 'a pattern that no program can hold';

/** Whether a literal is a pattern that the language takes. */
export function isRegex(literal: string): boolean {
  const end = literal.lastIndexOf('/');
  try {
    return new RegExp(literal.slice(1, end), literal.slice(end + 1)) instanceof RegExp;
  } catch {
    return false;
  }
}

const nothing = () => {};
const no = () => false;
const silent = {
  isTraceEnabled: no,
  isDebugEnabled: no,
  isInfoEnabled: no,
  isWarnEnabled: no,
  isErrorEnabled: no,
  isFatalEnabled: no,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing,
};
