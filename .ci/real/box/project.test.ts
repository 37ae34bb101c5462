import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type AppFiles, type Box, startBox } from '../support/box.ts';
import { containers, docker } from '../support/programs/docker.ts';
import { registry } from '../support/programs/registry.ts';

/** Only Compose knows what a project is; some changes it does not count as one. */

const image = `"${registry}/web:1"`;
const inContainer = (project: string, ...command: string[]) => docker('exec', `${project}-app-1`, ...command);
const state = (project: string) =>
  Object.fromEntries(containers(project).map(({ service, status, startedAt }) => [service, `${status} ${startedAt}`]));

async function installed(t: TestContext, name: string, app: AppFiles, settings = {}): Promise<Box> {
  const box = await startBox(t, { [name]: app });
  ok(await box.install(name, settings));
  return box;
}

function ok({ status, body }: Awaited<ReturnType<Box['install']>>): { kind: string; target: string; detail: string }[] {
  assert.equal(status, 200, JSON.stringify(body));
  return body.actions ?? [];
}

test('a changed text of a config or a secret reaches the container, once', async (t) => {
  const name = 'real-texts';
  const settings = [{ name: 'NAME' }, { name: 'TOKEN_OF_DB', type: 'password' }];
  const compose = `
services:
  app: { image: ${image}, configs: [{ source: hello, target: /hello }], secrets: [db, file] }
  other: { image: ${image} }
configs: { hello: { content: "hello $\{NAME:-nobody}" } }
secrets: { db: { environment: TOKEN_OF_DB }, file: { file: ./s.txt } }
`;
  const app = { manifest: { settings }, compose, files: { 's.txt': 'one' } };
  const box = await installed(t, name, app, { TOKEN_OF_DB: 'first-token' });
  const { other } = state(name);
  ok(await box.change(name, { NAME: 'bob' }));
  assert.equal(inContainer(name, 'cat', '/hello'), 'hello bob');
  const kinds = ok(await box.change(name, { TOKEN_OF_DB: 'second-token' }));
  assert.ok(kinds.some(({ kind, target }) => kind === 'recreate' && target === `${name}/app`));
  assert.equal(inContainer(name, 'cat', '/run/secrets/db'), 'second-token');
  writeFileSync(join(box.installed, name, 's.txt'), 'two');
  ok(await box.change(name, {}));
  assert.equal(inContainer(name, 'cat', '/run/secrets/file'), 'two');
  const after = state(name);
  assert.equal(after.other, other);
  ok(await box.change(name, { NAME: 'bob' }));
  assert.deepEqual(state(name), after);
});

test('a file that a change replaces under a mount reaches the container; one that the app writes restarts nothing', async (t) => {
  const name = 'real-mounted';
  const files = (version: string): AppFiles => ({
    manifest: { version, settings: [{ name: 'GREETING' }] },
    compose: `services: { app: { image: ${image}, volumes: ["./app.conf:/etc/app.conf", "./.env:/env:ro"] } }\n`,
    files: { 'app.conf': `version=${version}\n`, '.env.example': 'GREETING=hi\n' },
  });
  const box = await installed(t, name, files('1.0.0'));
  box.bundle(name, files('2.0.0'));
  ok(await box.update(name));
  assert.equal(inContainer(name, 'cat', '/etc/app.conf'), 'version=2.0.0');
  box.bundle(name, files('2.0.1'));
  ok(await box.install(name));
  assert.equal(inContainer(name, 'cat', '/etc/app.conf'), 'version=2.0.1');
  ok(await box.change(name, { GREETING: 'ahoy' }));
  assert.equal(inContainer(name, 'cat', '/env'), 'GREETING=ahoy');
  ok(await box.change(name, {}));
  inContainer(name, 'sh', '-c', 'echo written by the app >/etc/app.conf');
  const before = state(name);
  ok(await box.change(name, {}));
  assert.deepEqual(state(name), before);
});

test('an edit two files away is noticed, and one that makes Compose read without end is refused', async (t) => {
  const name = 'real-include';
  const files = { 'db.yaml': `services: { app: { image: ${image}, env_file: [db.env] } }\n`, 'db.env': 'DBV=1\n' };
  const box = await installed(t, name, { compose: 'include: [db.yaml]\n', files });
  writeFileSync(join(box.installed, name, 'db.env'), 'DBV=2\n');
  ok(await box.change(name, {}));
  assert.match(inContainer(name, 'env'), /^DBV=2$/m);
  const before = state(name);
  ok(await box.change(name, {}));
  assert.deepEqual(state(name), before);
  writeFileSync(join(box.installed, name, 'db.yaml'), 'services: { app: { image: web, env_file: /dev/zero } }\n');
  const { body } = await box.change(name, {});
  assert.match(body.actions?.[0]?.detail ?? '', /its db\.yaml names \/dev\/zero/);
  writeFileSync(join(box.installed, name, 'db.yaml'), 'services: { app: { build: { dockerfile: /dev/zero } } }\n');
  const built = await box.change(name, {});
  assert.match(built.body.actions?.[0]?.detail ?? '', /its db\.yaml names \/dev\/zero/);
});

test('what only Compose knows of an app is named at the check of the catalogue and at the install', async (t) => {
  const name = 'real-powers';
  const service = `{ image: ${image}, volumes: ["..:/own"], environment: { HASH: "$2b$12$abcdef" } }`;
  const files = { 'sub/a.yaml': `services: { app: ${service} }\n`, '.env.example': 'SOCKET=/run/docker.sock\n' };
  const compose = `include: [sub/a.yaml]\nservices: { db: { image: ${image}, volumes: ["$SOCKET:/s:ro"] } }\n`;
  const box = await startBox(t, { [name]: { compose, files } });
  box.env = { BOX_BUNDLED_APPS: box.bundled };
  const power = 'as good as root on the box: app (may write its own compose.yaml), db (/run/docker.sock)';
  const { stdout } = box.command('catalogue', 'check');
  assert.ok(stdout.includes(`${name}: ${power}`), stdout);
  const hash = 'Compose takes a "$" in services.app.environment.HASH for a variable';
  assert.ok(stdout.includes(hash), stdout);
  const warned = ok(await box.install(name))
    .filter(({ kind }) => kind === 'warn')
    .map(({ detail }) => detail);
  assert.ok(warned.includes(power) && warned.join().includes(hash), warned.join());
});

test('services that a newer version or an edit leaves out are removed, and those that a profile switches off', async (t) => {
  const name = 'real-fewer';
  const box = await installed(t, name, {
    compose: `services: { app: { image: ${image} }, db: { image: ${image} } }\n`,
  });
  const withExtra = (profile: string) => `extra: { image: ${image}, profiles: ["${profile}"] }`;
  box.bundle(name, {
    manifest: { version: '1.1.0' },
    compose: `services: { web: { image: ${image} }, job: { image: ${image} }, ${withExtra('on')} }\n`,
    files: { '.env.example': 'COMPOSE_PROFILES=on\n' },
  });
  const updated = await box.update(name);
  assert.equal(updated.status, 200, JSON.stringify(updated.body));
  assert.deepEqual(Object.keys(state(name)).sort(), ['extra', 'job', 'web']);
  writeFileSync(
    join(box.installed, name, 'compose.yaml'),
    `services: { web: { image: ${image} }, ${withExtra('off')} }\n`,
  );
  ok(await box.change(name, {}));
  assert.deepEqual(Object.keys(state(name)), ['web']);
});
