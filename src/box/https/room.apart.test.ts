import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { actionOf } from '../../console/rooms.ts';
import type { Outcome, Room, ShownAction } from '../report.ts';
import { useTestBox } from '../testing/test-box.ts';
import { CertificateFailed } from './ports.ts';
import { httpsRoom } from './room.ts';

const t = useTestBox();
const domain = 'box.example.org';
let caddyfile: string;
let room: Room;

beforeEach(() => {
  caddyfile = join(t.root, 'Caddyfile');
  writeFileSync(caddyfile, ':80 {\n}\n');
  t.installed('notes');
  t.machine.hosts = new Map([domain, `boxgate-check.${domain}`].map((host) => [host, ['192.168.1.7']]));
  t.machine.pages.set('https://127.0.0.1', { status: 200 });
  variables({});
});

/** A new console, with variables of the settings file. */
function variables(own: Record<string, string>): void {
  t.box.https = { ...t.box.https, variables: new Map(Object.entries({ BOX_HTTPS_CADDYFILE: caddyfile, ...own })) };
  room = httpsRoom(t.box);
}

async function actions(): Promise<ShownAction[]> {
  const { sections } = await room.read('');
  return sections.flatMap(({ rows, actions = [] }) => [...rows.flatMap((row) => row.actions ?? []), ...actions]);
}

const fieldsOf = async (label: string) =>
  (await actions()).find((one) => `${one.label} ${one.about ?? ''}`.startsWith(label))?.fields?.map(({ name }) => name);

/** Presses a button, types into its fields, and follows the work to its end. */
async function press(label: string, typed: Record<string, string> = {}): Promise<Outcome> {
  const shown = (await actions()).find((one) => `${one.label} ${one.about ?? ''}`.startsWith(label));
  assert.ok(shown?.act !== undefined, `there is no ${label}`);
  const filled = (shown.fields ?? []).map(({ name, value, choices }) => [name, value ?? choices?.[0]?.value ?? '']);
  const given = { ...Object.fromEntries(filled), ...shown.given, ...typed };
  const { action, fields } = actionOf([room], { act: shown.act, fields: given });
  const begun = await action.run(fields);
  assert.equal(begun.has_begun, true);
  for (;;) {
    const work = await room.follow?.('');
    if (work !== undefined && !work.has_begun) return work;
    await new Promise((done) => setImmediate(done));
  }
}

test('an owner switches HTTPS on, asks for a login, closes the ports, and ends all', async () => {
  t.machine.hosts.clear();
  const missing = await press('Switch on', { domain });
  assert.equal(missing.ok, false);
  assert.match(missing.text, /^box\.example\.org has no address[\s\S]* name it\n[\s\S]*\nnothing was changed$/);
  assert.match(
    JSON.stringify(await room.read('')),
    /The setup of HTTPS, begun [^}]*: how it ended[^}]*"folded":"box\.example\.org has no/,
  );
  t.machine.hosts = new Map([domain, `boxgate-check.${domain}`].map((host) => [host, ['192.168.1.7']]));
  const done = await press('Switch on', { domain });
  assert.equal(done.ok, true, done.text);
  assert.match(done.text, /^https:\/\/box\.example\.org\/ {2}the page$/m);
  assert.match(readFileSync(caddyfile, 'utf8'), /^import /m);

  await assert.rejects(press('Ask for a login', { login: 'ada' }), {
    message: 'a password has 8 to 72 bytes; nothing was changed',
  });
  await assert.rejects(press('Ask for a login', { password: 'correct horse' }), { message: /there is no login yet/ });
  const ada = { login: 'ada', password: 'correct horse' };
  const login = await press('Ask for a login', { ...ada, login_for: 'page', login_except: 'notes' });
  assert.match(login.text, /asks for the login ada for the page, but not for notes/);
  const hash = await t.caddy.hash();
  assert.deepEqual(t.box.https.setting()?.login, { name: 'ada', hash, of: 'page', except: ['notes'] });
  assert.equal((await press('Change the login', { login_for: 'apps', login_except: '' })).ok, true);
  assert.deepEqual(t.box.https.setting()?.login, { name: 'ada', hash, of: 'apps', except: [] });
  assert.equal((await press('Change the login', { password: 'battery staple' })).ok, true);
  assert.equal(t.box.https.setting()?.login?.of, 'apps');

  assert.equal((await press('Close the plain', { close_except: 'films, notes' })).ok, true);
  assert.equal((await press('Set up again')).ok, true);
  assert.deepEqual(t.box.https.setting()?.closing, { except: ['films', 'notes'] });
  assert.equal((await press('Change the plain', { close_except: '' })).ok, true);
  assert.deepEqual(t.box.https.setting()?.closing, { except: [] });
  const shown = JSON.stringify(await room.read(''));
  assert.doesNotMatch(shown, /correct horse|battery staple|\$2/);
  assert.equal((await press('Open the plain')).ok, true);
  assert.equal((await press('Switch off the login')).ok, true);
  assert.deepEqual([t.box.https.setting()?.closing, t.box.https.setting()?.login], [null, null]);
  assert.match((await press('End HTTPS')).text, /have ended/);
  assert.equal(t.box.https.setting(), null);
});

test('credentials of a provider become a file for root, and those of before come back after a failure', async () => {
  const file = join(t.box.stateDirectory, 'https-dns.env');
  const typed: (string | null)[] = [];
  let failure: string | null = null;
  t.box.https.certificates = {
    async missing(_certificate, credentials) {
      typed.push(credentials);
      return null;
    },
    async obtain({ certificate }) {
      assert.equal(statSync(file).mode & 0o777, 0o600);
      assert.equal(certificate.variables, file);
      if (failure !== null) throw new CertificateFailed(failure);
      return 'one\n';
    },
    forget: async () => undefined,
  };
  variables({});
  const dns = { certificate: 'dns', dns: 'cloudflare', email: 'ada@example.org' };
  failure = 'lego says: no';
  assert.match((await press('Switch on', { domain, ...dns, credentials: 'A=1' })).text, /no\nnothing was changed$/);
  assert.throws(() => statSync(file));
  failure = null;
  assert.equal((await press('Switch on', { domain, ...dns, credentials: 'A=1' })).ok, true);
  assert.equal(readFileSync(file, 'utf8'), 'A=1\n');
  failure = 'lego says: no';
  assert.equal((await press('Change domain', { credentials: 'A=2' })).ok, false);
  assert.equal(readFileSync(file, 'utf8'), 'A=1\n');
  failure = null;
  assert.equal((await press('Change domain', { email: 'bob@example.org' })).ok, true);
  assert.equal(readFileSync(file, 'utf8'), 'A=1\n');
  assert.deepEqual(typed, ['A=1', 'A=1', 'A=2', null]);
  assert.equal((await press('Change domain', { certificate: 'local' })).ok, true);
  await press('End HTTPS');
  assert.throws(() => statSync(file));
});

test('what the settings file sets is not asked for, and comes first', async () => {
  const own = { BOX_HTTPS_DOMAIN: domain, BOX_HTTPS_LOCAL: 'true', BOX_HTTPS_LOGIN: 'ada', BOX_HTTPS_CLOSE_PORTS: '1' };
  variables(own);
  assert.match(
    JSON.stringify(await room.read('')),
    /Set in \/etc\/boxgate\/box\.env[^"]*BOX_HTTPS_DOMAIN, BOX_HTTPS_LOCAL/,
  );
  assert.deepEqual(await fieldsOf('Switch on'), ['password', 'login_for', 'login_except', 'no_login', 'resolver']);
  assert.equal((await press('Switch on', { domain: 'evil.org', password: 'correct horse' })).ok, true);
  assert.equal(t.box.https.setting()?.domain, domain);
  assert.equal((await press('Set up again')).ok, true);
  assert.deepEqual(t.box.https.setting()?.login, { name: 'ada', hash: await t.caddy.hash(), of: 'all', except: [] });
  const labels = (await actions()).map(({ label, about }) => `${label} ${about ?? ''}`);
  assert.equal(
    labels.some((label) => /plain addresses|Switch off/.test(label)),
    false,
  );
});
