import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { required } from '../real/support/required.ts';

/**
 * Tests that musts and shoulds prescribe nothing that other implementations may do in another way: the Python
 * implementations pass them all. They were written from the requirements alone, and differ from ours wherever the
 * requirements leave something open.
 */
const checkout = join(import.meta.dirname, '..', '..');
const boxgate = join(checkout, 'src', 'cli', 'boxgate.cjs');

type Report = {
  counts: Record<string, number>;
  checks: { id: string; level: string; outcome: string; reason: string }[];
};

for (const api of ['box', 'gateway']) {
  test(`a ${api} in Python, unlike ours, passes every must and should`, { timeout: 540_000 }, () => {
    const file = join(required('BOXGATE_ARTEFACTS'), `conformance-of-another-${api}.json`);
    const exec = `python3 '${join(checkout, 'conformance', 'examples', `${api}.py`)}'`;
    const browser = api === 'box' ? ['--browser', '/usr/bin/chromium'] : [];
    const declared = api === 'gateway' ? ['--without', 'postgres'] : [];
    const options = ['--exec', exec, '--strict', ...declared, ...browser, '--report', `json=${file}`];
    const run = spawnSync(process.execPath, [boxgate, 'conformance', api, ...options], {
      cwd: checkout,
      encoding: 'utf8',
      timeout: 500_000,
    });
    const { checks, counts } = JSON.parse(readFileSync(file, 'utf8')) as Report;
    const others = checks.filter(
      ({ outcome }) => !['pass', 'passed-late', 'skipped', 'not-applicable'].includes(outcome),
    );
    assert.deepEqual(
      others.map(({ id, reason }) => `${id}: ${reason}`),
      [],
    );
    assert.equal(run.status, 0, run.stderr);
    assert.ok((counts['not-applicable'] ?? 0) <= 2, JSON.stringify(counts));
    assert.ok((counts.pass ?? 0) >= 90, JSON.stringify(counts));
  });
}
