import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeGatewayEnvironment } from '../../fakes/gateway-environment.ts';
import { writeTunnelPrograms } from '../../fakes/tunnel-programs.ts';
import { runBoxgate, serveBoxgate } from '../lib/testing/boxgate-process.ts';
import { temporaryFolder } from '../lib/testing/temporary-folder.ts';
import { startFakeGateway } from '../tunnel/testing/fake-gateway.ts';

/** Output of the tunnel commands for a gateway that attacks the owner's terminal. */

const marks = '\u202e\u2066\u061c\u200f';

test('texts of a gateway cannot reverse lines of the terminal', async (t) => {
  const folder = temporaryFolder();
  const gateway = await startFakeGateway();
  t.after(gateway.close);
  const programs = writeTunnelPrograms(temporaryFolder());
  const said = async (...words: string[]) => {
    const env = {
      PATH: `${programs}:${process.env.PATH}`,
      HOME: folder,
      BOX_REGISTRATION_TOKEN: gateway.registrationToken,
    };
    const { out, err } = await runBoxgate(['tunnel', ...words, '--state-dir', folder], env);
    const text = out + err;
    assert.match(text, /^[\x20-\x7e\n]+$/, words.join(' '));
    return text;
  };
  await said('join', '--gateway', gateway.url, '--name', `attic${marks}`);
  assert.match(await said('status'), /attic\\u\{202e\}/);
  const route = { id: 'rt_1', box_id: 'box_1', subdomain: 'x', port: 80, host: 'x.example.test' };
  gateway.routes.push({ ...route, app_name: `notes${marks}` });
  assert.match(await said('list'), /notes\\u\{202e\}\\u\{2066\}\\u\{61c\}\\u\{200f\}/);
  assert.match(await said('list', '--json'), /notes\\u202e\\u2066\\u061c\\u200f/);
  gateway.answerAll = { status: 403, body: { error: `no${marks}\u001b[2J` } };
  assert.match(await said('heartbeat'), /^boxgate: no \[2J\n$/);
});

test('no line of a gateway or of its commands has a character of a name that acts on its reader', async (t) => {
  const environment = await makeGatewayEnvironment();
  t.after(() => environment.dispose());
  const { manager, registrationToken, routesDir, root } = environment;
  const acting = `${marks}\u2028`;
  const inFiles = `${marks}\u009b2J\n\u001b`;
  const env = { ...environment.env(), PATH: `${join(root, 'bin')}:${process.env.PATH}` };
  mkdirSync(join(routesDir, `folder ${inFiles}`));
  writeFileSync(join(routesDir, `stray ${inFiles}.yml`), `http: {routers: {"${marks}`);
  writeFileSync(join(routesDir, `boxgate-box_${inFiles}.yml`), '');
  manager.add(`laptop ${marks}`);
  manager.add(`boxgate-box_${marks}`);
  const server = await serveBoxgate(['gateway', 'serve'], env);
  t.after(server.stop);
  const register = async (token: string, name: string) => {
    const body = JSON.stringify({ registration_token: token, box_name: name });
    const answer = await fetch(`${server.address}/v1/boxes/register`, { method: 'POST', body });
    return (await answer.json()) as { box_id: string; box_token: string };
  };
  const box = await register(registrationToken, `attic ${acting}`);
  await register(`wrong ${acting}`, acting);
  for (const app of ['notes', acting]) {
    await fetch(`${server.address}/v1/routes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${box.box_token}` },
      body: JSON.stringify({ app_name: app, subdomain: app, port: 80 }),
    });
  }
  manager.faults.script({
    kind: 'canned',
    on: 'create',
    status: 400,
    body: JSON.stringify({ statusCode: 400, message: acting }),
  });
  manager.faults.script({
    kind: 'wrong-shape',
    on: 'configuration',
    edit: (body) => body.replace(/Endpoint = .*/, `Endpoint = vpn${acting}:1`),
  });
  for (const _ of ['create', 'configuration']) await register(registrationToken, `cellar ${acting}`);
  const said = [];
  for (const words of [
    ['boxes', 'list'],
    ['doctor', '--proxy', environment.traefik.url, '--proxy-api', environment.traefik.apiUrl],
    ['boxes', 'remove', acting],
  ]) {
    const { out, err } = await runBoxgate(['gateway', ...words], env);
    said.push(out + err);
  }
  await server.stop();
  said.push(server.said.err);
  for (const text of said) assert.match(text, /^(?:[A-Za-z0-9][\x20-\x7e]*\n)+$/);
});
