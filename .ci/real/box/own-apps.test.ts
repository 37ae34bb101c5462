// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startBox } from '../support/box.ts';
import { actOn, startConsole } from '../support/console.ts';
import { container, docker, environment, forget } from '../support/programs/docker.ts';
import { registry } from '../support/programs/registry.ts';
import { command, restic } from '../support/saved-app.ts';
import { freePort } from '../support/server-process.ts';
import { pageAt } from '../support/until.ts';

const name = 'real-own-notes';
const title = 'Real own notes';

const pasted = (image: string, port: number) => `
x-web: &web
  image: ${registry}/${image}
  restart: unless-stopped
services:
  web:
    <<: *web
    container_name: notes
    user: "1000:1000"
    environment:
      - DB_PASSWORD
      - SITE=\${SITE:-at home}
      - TOWN=\${TOWN:?the town is missing}
      - OF_THE_BOX=\${REAL_OWN_VALUE}
    ports: ["${port}:8080"]
    volumes: ["./rows:/data", "made:/made"]
    labels: [traefik.enable=true]
  db: {<<: *web, env_file: .env}
volumes: {made: }
`;

test('a pasted Compose file is checked, kept, installed, backed up and replaced by a newer one', async (t) => {
  const box = await startBox(t, {});
  t.after(() => forget([name]));
  const server = await startConsole(t, box, { REAL_OWN_VALUE: 'of the console' });
  const check = (text: string) => actOn(server, 'own/check', { title, text });
  const port = await freePort();

  for (const [text, reason] of [
    ['services: {web: {image: a, ports: [x]}}', /a port with an unknown form/],
    ['services: {web: {image: a, restart: [no]}}', /services\.web\.restart must be a string/],
    ['include: [/etc/passwd]\nservices: {}', /has include,/],
  ] as const) {
    const { status, body } = await check(text);
    assert.ok(status >= 400, text);
    assert.match(body.error, reason);
  }
  const { status, body: checked } = await check(pasted('web:1', port));
  assert.equal(status, 200, JSON.stringify(checked));
  assert.match(JSON.stringify(checked.shown), /DB_PASSWORD: a secret, made for you/);
  assert.doesNotMatch(JSON.stringify(checked), /of the console/);
  assert.deepEqual([(await box.get('/api/bundled')).body, existsSync(join(box.state, 'own-check'))], [[], false]);

  const [{ act: keep, given }] = checked.shown.actions;
  const kept = await actOn(server, keep, { ...given, page: String(port) });
  assert.equal(kept.status, 200, JSON.stringify(kept.body));
  const offered = (await box.get('/api/bundled')).body;
  assert.deepEqual(
    offered.map((one: Record<string, unknown>) => [one.name, one.display_name, one.ports]),
    [[name, title, [{ port, protocol: 'http', label: 'Web page' }]]],
  );
  const catalogue = box.command('catalogue', 'check', '--bundled-apps', box.bundled);
  assert.equal(catalogue.status, 0, catalogue.stdout);

  const installed = await box.install(name, { TOWN: 'Ulm' });
  assert.equal(installed.status, 200, JSON.stringify(installed.body));
  const page = () => pageAt(`http://127.0.0.1:${port}/`);
  assert.equal(await page(), 'web 1\n');
  const values = () => ['web', 'db'].map((service) => environment(container(name, service).id));
  const [web, db] = values();
  assert.match(web?.get('DB_PASSWORD') ?? '', /^[0-9a-f]{32}$/);
  assert.equal(db?.get('DB_PASSWORD'), web?.get('DB_PASSWORD'));
  assert.deepEqual([web?.get('SITE'), web?.get('TOWN'), web?.get('OF_THE_BOX')], ['at home', 'Ulm', '']);
  docker('exec', container(name, 'web').id, 'sh', '-c', 'echo first > /data/rows');

  command(box, 'run');
  const { stdout } = restic(box, 'ls', '--tag', 'boxgate-box', 'latest');
  assert.match(stdout, new RegExp(`/catalogue/${name}/pasted\\.yaml$`, 'm'));

  const { body: newer } = await check(pasted('web:2', port));
  const replaced = await actOn(server, keep, { ...newer.shown.actions[0].given, page: String(port) });
  assert.match(replaced.body.text, /Its newer version is offered/);
  const updated = await box.update(name);
  assert.deepEqual([updated.status, updated.body.updated], [200, true], JSON.stringify(updated.body));
  assert.equal(await page(), 'web 2\n');
  assert.equal(values()[0]?.get('DB_PASSWORD'), web?.get('DB_PASSWORD'));
  assert.equal(box.read(name, 'rows/rows'), 'first\n');

  assert.equal((await actOn(server, 'own/remove', { name })).status, 200);
  assert.deepEqual([(await box.get('/api/bundled')).body, readdirSync(join(box.state, 'catalogue'))], [[], []]);
  assert.equal((await box.remove(name)).status, 200);
});
