import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeTunnelPrograms } from '../../fakes/tunnel-programs.ts';
import { startFakeGateway } from '../box/addresses/testing/fake-gateway.ts';
import { runBoxgate } from '../lib/testing/boxgate-process.ts';
import { temporaryFolder } from '../lib/testing/temporary-folder.ts';

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
