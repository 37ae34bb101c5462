import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { instrument } from './instrument.ts';
import { buildProgram } from './program.ts';
import { mutatedFiles, root } from './sources.ts';
import { openSuites } from './suites.ts';
import { survivors } from './survivors.ts';
import { tryMutant } from './trial-of-mutants.ts';

/** One of each sort, with the check that looks at what it changes. All of them take hours, by npm run mutants. */
const handful: [key: string, check: string][] = [
  [
    'src/box/rules/app-name.ts | const impossible = /[/\\p{Cc}\\p{Cs}\\ufffd]/u; | /[/\\p{Cc}\\p{Cs}\\ufffd]/u → /[^/\\p{Cc}\\p{Cs}\\ufffd]/u',
    'box/names/app-names',
  ],
  [
    "src/box/rules/app-name.ts | export function isAppName(name: string): boolean { | { if (name === '' || name.startsWith('.') || impossible.test … length <= maxNameBytes; } → {}",
    'box/names/app-names',
  ],
  [
    'src/gateway/endpoints.ts | if (match === null) return null; | match === null → match !== null',
    'gateway/http/rare-methods',
  ],
];

suite('the mutants of our own servers', () => {
  test('exist, as far as a reason speaks of them', async () => {
    const keys = [...survivors.keys()];
    const files = [...new Set(keys.map((key) => key.split(' | ', 1)[0] ?? ''))];
    const known = new Set(
      (await instrument(files.filter((file) => existsSync(join(root, file))))).mutants.map(({ key }) => key),
    );
    assert.deepEqual(
      keys.filter((key) => !known.has(key)),
      [],
      'the source has other words now: try the mutant again, or take the reason away',
    );
  });

  test('are looked for in files that are there', () => {
    const files = mutatedFiles();
    for (const part of ['src/box/', 'src/gateway/', 'src/http/', 'src/lib/'])
      assert.ok(
        files.some((file) => file.startsWith(part)),
        part,
      );
  });

  test(`are reached and noticed: ${handful.length} of them`, async (t) => {
    // Below the packages, which the program asks for.
    const cache = join(root, 'node_modules', '.cache');
    mkdirSync(cache, { recursive: true });
    const folder = mkdtempSync(join(cache, 'boxgate-mutants-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const instrumented = await instrument([...new Set(handful.map(([key]) => key.split(' | ', 1)[0] ?? ''))]);
    const program = await buildProgram(instrumented, folder);
    const suites = openSuites(1);
    for (const [key, id] of handful) {
      const mutant = instrumented.mutants.find((one) => one.key === key);
      const check = suites.checks.find((one) => one.id === id);
      if (mutant === undefined || check === undefined)
        throw new Error(`there is no more ${key}, or no ${id}`);
      const { argv, executed } = program.watched(id);
      const [without] = await suites.run(check.api, [id], argv);
      assert.equal(without?.outcome, 'pass', `${id} without a mutant: ${without?.reason}`);
      const watched = [{ check, milliseconds: without.milliseconds, executed: executed() }];
      const experience = () => ({ tried: 0, noticed: 0 });
      const focus = () => 1;
      const finding = await tryMutant(mutant, { suites, program, watched, experience, focus, most: 1 });
      assert.deepEqual(finding.noticedBy, { id, outcome: 'fail' }, key);
    }
  });
});
