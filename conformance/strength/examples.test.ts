import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const suite = join(import.meta.dirname, '..');
const generator = join(suite, 'implementations', 'make_examples.py');
const hasPython = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']).status === 0;

test('the examples are the implementations without their faults', { skip: !hasPython && 'no Python 3.11' }, () => {
  const made = mkdtempSync(join(tmpdir(), 'boxgate-examples-'));
  try {
    const { status, stderr } = spawnSync('python3', [generator, made], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    const message = 'run: python3 conformance/implementations/make_examples.py conformance/examples';
    assert.deepEqual(textsIn(join(suite, 'examples')), textsIn(made), message);
    assert.deepEqual(
      Object.entries(textsIn(made)).filter(([, text]) => /\b(wrong|pick|faulty_\w+)\(|FAULT/.test(text)),
      [],
    );
  } finally {
    rmSync(made, { recursive: true });
  }
});

const textsIn = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => [name, readFileSync(join(folder, name), 'utf8')] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
