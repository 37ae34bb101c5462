import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'boxgate-packaging-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));

type Action = {
  inputs: Record<string, { required?: boolean; default?: string }>;
  runs: { steps: { run: string; env?: Record<string, string> }[] };
};

const action: Action = parse(readFileSync(join(import.meta.dirname, 'action.yml'), 'utf8'));

/** Runs the last step of the action like GitHub does, on a gateway that only knows the schemas. */
function runAction(inputs: Record<string, string>, only: string) {
  const env = Object.entries(action.runs.steps.at(-1)?.env ?? {}).map(([name, text]) => [
    name,
    text.replace(/\$\{\{ inputs\.(\w+) \}\}/g, (_, input) => inputs[input] ?? action.inputs[input]?.default ?? ''),
  ]);
  return spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', action.runs.steps.at(-1)?.run ?? ''], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      ...process.env,
      ...Object.fromEntries(env),
      GITHUB_ACTION_PATH: import.meta.dirname,
      CONFORMANCE_ONLY: only,
    },
  });
}

const server = `'${process.execPath}' --no-warnings '${join(import.meta.dirname, 'testing', 'canned-api.ts')}' gateway`;

test('the action runs the suite, writes its reports and passes on the exit status', () => {
  const good = runAction({ api: 'gateway', exec: server }, 'gateway/getHealth/ok');
  assert.deepEqual([good.status, good.stderr], [0, '']);
  assert.match(good.stdout, /1 pass/);
  assert.ok(existsSync(join(folder, 'conformance.html')));
  assert.equal(runAction({ api: 'gateway', exec: server, report: 'text' }, 'gateway/registerBox').status, 1);
  assert.equal(runAction({ api: 'gateway', exec: '' }, 'gateway/getHealth').status, 2);
});

test('the action passes on all its inputs', () => {
  const text = JSON.stringify(action.runs);
  for (const input of Object.keys(action.inputs)) assert.ok(text.includes(`inputs.${input} `), input);
});

test('the package has the examples that the build makes', () => {
  const packed = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root, encoding: 'utf8' });
  const [{ files } = { files: [] }] = JSON.parse(packed.stdout) as { files: { path: string }[] }[];
  const examples = files.filter(({ path }) => path.startsWith('conformance/examples/')).map(({ path }) => path);
  assert.ok(
    ['box.py', 'gateway.py', 'box-page.html'].every((name) => examples.includes(`conformance/examples/${name}`)),
  );
  assert.ok(
    examples.every((path) => /\.(?:py|html)$/.test(path)),
    examples.join(),
  );
});

test('the image copies files that exist, and starts the program of the package', () => {
  const text = readFileSync(join(import.meta.dirname, 'Dockerfile'), 'utf8');
  const copied = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files = '']) => files.split(' '));
  for (const file of [...copied, 'conformance/install-suite.sh']) assert.ok(existsSync(join(root, file)), file);
  const [, entry = ''] = /^ENTRYPOINT .*"\/opt\/boxgate\/([^"]+)"/m.exec(text) ?? [];
  assert.ok(existsSync(join(root, entry)), entry);
});
