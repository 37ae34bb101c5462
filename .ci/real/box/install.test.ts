import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { startBox } from '../support/box.ts';
import { container, containers, environment, identity, networks } from '../support/programs/docker.ts';
import { moveTag, newTag, registry } from '../support/programs/registry.ts';
import { freePort } from '../support/server-process.ts';
import { pageAt } from '../support/until.ts';

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

for (const [name, project] of [['real,x=y', 'realxy']] as const) {
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
