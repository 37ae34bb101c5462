import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type AppFiles, startBox } from '../support/box.ts';
import { container, containers, docker, environment, identity, networks } from '../support/docker.ts';
import { moveTag, newTag, registry } from '../support/registry.ts';
import { freePort } from '../support/server-process.ts';
import { pageAt } from '../support/until.ts';

const oneService: AppFiles = { compose: `services: { web: { image: "${registry}/web:1" } }` };

/** Values that some tools alter on the way into a container. */
const values: Record<string, string> = {
  EMPTY: '',
  PLAIN: 'plain',
  BLANKS: '  leading and trailing  ',
  DOUBLE: 'say "this" twice',
  DOUBLE_WHOLE: '"quoted as a whole"',
  ONE_DOUBLE: '"',
  SINGLE: "it's mine",
  SINGLE_WHOLE: "'quoted as a whole'",
  HASH_FIRST: '#not a comment',
  HASH_AFTER_BLANK: 'a #b',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
  DOLLAR: '$HOME and ${HOME} and $(id) and `id`',
  DOLLARS: '$$ $$$',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
  DOLLAR_DEFAULT: '${NOT_SET:-x}${NOT_SET?y}',
  DOLLAR_LAST: 'ends in $',
  BACKSLASH: '\\',
  BACKSLASHES: 'C:\\new\\table \\" \\$ \\\\',
  BACKSLASH_LAST: 'ends in \\',
  ESCAPES: '\\n\\t\\r\\x41\\u0041',
  EQUALS: '=a=b==',
  EXPORT: 'export A=1',
  NEWLINE: 'first\nsecond\n',
  NEWLINE_THEN_KEY: 'x\nPLAIN=overwritten',
  TAB: 'a\tb\t',
  CARRIAGE_RETURN: 'a\rb\r\n',
  UNICODE: 'Grüße, 家, עברית, 🏠, e\u0301, \u00a0, \u2028',
  TEMPLATES: '{{.Name}} %s %PATH% !history *',
  YAML: '- a: [b, {c: &d *d}]',
  WORDS: 'null',
  LONG: 'q"$\\ #\n'.repeat(512),
};

test('install starts the container with every setting inside, byte for byte', async (t) => {
  const byName = Object.keys(values).map((key) => `      ${key}: \${${key}}`);
  const compose = [
    'services:',
    '  by_file:',
    `    image: ${registry}/web:1`,
    '    env_file: .env',
    '  by_interpolation:',
    `    image: ${registry}/web:1`,
    '    environment:',
    ...byName,
    '',
  ].join('\n');
  const settings = Object.keys(values).map((name) => ({ name, label: name, type: 'text' }));
  const box = await startBox(t, { 'real-values': { compose, manifest: { settings } } });

  const answer = await box.install('real-values', values);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  for (const service of ['by_file', 'by_interpolation']) {
    const seen = environment(container('real-values', service).id);
    for (const [key, value] of Object.entries(values)) {
      assert.equal(seen.get(key), value, `${key} in ${service}`);
    }
  }
  const view = await box.get('/api/apps/real-values/settings');
  const shown = Object.fromEntries(
    view.body.settings.map((entry: { name: string; value: string }) => [entry.name, entry.value]),
  );
  assert.deepEqual(shown, values);
});

test('numbers, booleans, null, lists and objects arrive as their texts', async (t) => {
  const compose = `services: { web: { image: "${registry}/web:1", env_file: .env } }`;
  const box = await startBox(t, { 'real-kinds': { compose } });
  const answer = await box.install('real-kinds', { N: 1.5, T: true, Z: null, L: [1, 'a'], O: { a: '"' } });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const seen = environment(container('real-kinds', 'web').id);
  assert.deepEqual(
    ['N', 'T', 'Z', 'L', 'O'].map((key) => seen.get(key)),
    ['1.5', 'true', '', '[1,"a"]', '{"a":"\\""}'],
  );
});

test('an owner who types docker compose in the app directory sees the same containers', async (t) => {
  const port = await freePort();
  const compose = `services: { web: { image: "${registry}/web:1", ports: ["127.0.0.1:${port}:8080"] } }`;
  const box = await startBox(t, { 'real-owner': { compose } });
  const answer = await box.install('real-owner');
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.equal(answer.body.installed, join(box.installed, 'real-owner'));
  const cwd = join(box.installed, 'real-owner');
  const seen = execFileSync('docker', ['compose', 'ps', '-q', '--no-trunc'], { cwd, encoding: 'utf8' }).trim();
  assert.equal(seen, container('real-owner', 'web').id);
  // Compose finds no change either: its `up` keeps the container.
  const before = identity('real-owner');
  execFileSync('docker', ['compose', 'up', '-d'], { cwd, stdio: 'pipe' });
  assert.deepEqual(identity('real-owner'), before);
  assert.equal(await pageAt(`http://127.0.0.1:${port}/`), 'web 1\n');
});

test('a reinstall that changes nothing leaves the container, .env and the owner’s files', async (t) => {
  const compose = `services: { web: { image: "${registry}/web:1", env_file: .env, volumes: ["./data:/data"] } }`;
  const box = await startBox(t, { 'real-again': { compose, files: { '.env.example': '# Mine\nA=example\n' } } });
  assert.equal((await box.install('real-again', { A: 'chosen' })).status, 200);
  const web = container('real-again', 'web');
  docker('exec', web.id, 'sh', '-c', 'echo kept >/data/file');
  writeFileSync(join(box.installed, 'real-again', 'note.txt'), 'added');
  const before = { running: identity('real-again'), env: box.read('real-again', '.env') };

  assert.equal((await box.install('real-again')).status, 200);
  assert.deepEqual({ running: identity('real-again'), env: box.read('real-again', '.env') }, before);
  assert.equal(box.read('real-again', 'data/file'), 'kept\n');
  assert.equal(box.read('real-again', 'note.txt'), 'added');
  assert.match(box.read('real-again', '.env'), /^# Mine\nA=chosen$/m);
});

test('a reinstall brings a newer Compose file to the containers', async (t) => {
  const box = await startBox(t, { 'real-newer': oneService });
  assert.equal((await box.install('real-newer')).status, 200);
  box.bundle('real-newer', { compose: `services: { web: { image: "${registry}/web:2" } }` });
  const answer = await box.install('real-newer');
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.equal(container('real-newer', 'web').tag, `${registry}/web:2`);
});

test('a placeholder left starts nothing; the owner edits .env and repeats', async (t) => {
  const files = { '.env.example': 'SECRET=change-me\n' };
  const box = await startBox(t, { 'real-secret': { ...oneService, files } });
  const refused = await box.install('real-secret');
  assert.equal(refused.status, 400);
  assert.match(refused.body.error, /SECRET/);
  assert.deepEqual(containers('real-secret'), []);
  assert.deepEqual(networks('real-secret'), []);
  writeFileSync(join(box.installed, 'real-secret', '.env'), 'SECRET=mine\n');
  assert.equal((await box.install('real-secret')).status, 200);
  assert.equal(container('real-secret', 'web').status, 'running');
});

test('a broken app gives 207 and stops nobody else', async (t) => {
  const absent = { compose: `services: { web: { image: "${registry}/web:absent" } }` };
  const nonsense = { compose: 'services: [' };
  const box = await startBox(t, { 'real-good': oneService, 'real-absent': absent, 'real-nonsense': nonsense });
  assert.equal((await box.install('real-good')).status, 200);
  const before = identity('real-good');

  for (const name of ['real-absent', 'real-nonsense']) {
    const answer = await box.install(name);
    assert.equal(answer.status, 207, JSON.stringify(answer.body));
    const kinds = answer.body.actions.filter((action: { kind: string }) => action.kind === 'error');
    assert.ok(
      kinds.some((action: { target: string }) => action.target.split('/')[0] === name),
      JSON.stringify(kinds),
    );
    assert.ok(kinds.every((action: { target: string }) => action.target.split('/')[0] !== 'real-good'));
  }
  assert.deepEqual(identity('real-good'), before);
  // The good app can still be changed; the response reports the others again.
  assert.equal((await box.change('real-good', { A: '1' })).status, 207);
  assert.equal(container('real-good', 'web').status, 'running');
});

test('a .env that its owner edited into nonsense is an error of that app alone, and nothing is lost', async (t) => {
  const compose = `services: { web: { image: "${registry}/web:1", env_file: .env } }`;
  const box = await startBox(t, { 'real-odd': { compose }, 'real-fine': oneService });
  assert.equal((await box.install('real-odd', { A: '1' })).status, 200);
  appendFileSync(join(box.installed, 'real-odd', '.env'), 'this is no line of it\n"\n');
  const nonsense = box.read('real-odd', '.env');
  const answer = await box.install('real-fine');
  assert.equal(answer.status, 207, JSON.stringify(answer.body));
  assert.equal(container('real-fine', 'web').status, 'running');
  assert.equal(box.read('real-odd', '.env'), nonsense);
  assert.equal((await box.get('/api/apps/real-odd/settings')).status, 200);
});

for (const [name, project] of [
  ['Real_App', 'real_app'],
  ['Reale Grüße 1', 'realegre1'],
  ['real,x=y', 'realxy'],
] as const) {
  test(`an app called ${name} is installed, changed, updated, removed and brought back`, async (t) => {
    const tag = newTag('named');
    await moveTag(tag, '1');
    const compose = `services: { web: { image: "${registry}/web:${tag}", env_file: .env, volumes: ["./data:/data"] } }`;
    const box = await startBox(t, { [name]: { compose, files: { '.env.example': 'A=1\n' } } });
    const answer = await box.install(name);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const first = container(project, 'web');
    assert.equal(first.workingDir, join(box.installed, name));
    const byCompose = { cwd: join(box.installed, name), encoding: 'utf8', timeout: 60_000 } as const;
    assert.equal(execFileSync('docker', ['compose', 'ps', '-q', '--no-trunc'], byCompose).trim(), first.id);

    assert.equal((await box.change(name, { A: 'ünï' })).status, 200);
    const changed = container(project, 'web');
    assert.equal(environment(changed.id).get('A'), 'ünï');
    const again = await box.change(name, {});
    assert.deepEqual(
      again.body.actions.map(({ kind }: { kind: string }) => kind),
      ['noop'],
    );
    const view = await box.get(`/api/apps/${encodeURIComponent(name)}/settings`);
    assert.deepEqual([view.status, view.body.name], [200, name]);

    await moveTag(tag, '2');
    const update = await box.update(name);
    assert.deepEqual([update.status, update.body.app, update.body.updated], [200, name, true]);
    assert.notEqual(container(project, 'web').id, changed.id);
    const reinstall = await box.install(name);
    assert.equal(reinstall.status, 200, JSON.stringify(reinstall.body));

    assert.deepEqual(await box.remove(name), { status: 200, body: { removed: name, compose_warning: null } });
    assert.deepEqual([containers(project), networks(project)], [[], []]);
    assert.equal(box.has(name), false);
    assert.ok(box.command('trash', 'list').stdout.startsWith(`${name}\t`));
    assert.equal(box.command('trash', 'restore', name).status, 0);
    assert.equal(container(project, 'web').status, 'running');
    await box.remove(name);
  });
}

test('the second of two apps that would share a project is refused', async (t) => {
  const box = await startBox(t, { 'real-twin': oneService, 'Real-Twin': oneService });
  assert.equal((await box.install('real-twin')).status, 200);
  const { id } = container('real-twin', 'web');
  const answer = await box.install('Real-Twin');
  assert.equal(answer.status, 400);
  assert.match(answer.body.error, /real-twin/);
  assert.equal(box.has('Real-Twin'), false);
  assert.equal(container('real-twin', 'web').id, id);
});
