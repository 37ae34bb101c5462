import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { printRoom } from '../../console/rooms.ts';
import { listApps } from '../apps/list-apps.ts';
import { getAppSettings } from '../apps/settings.ts';
import { ContainersFailed, StorageFailed } from '../core.ts';
import { reconcile } from '../engine/reconcile.ts';
import type { Container } from '../engine/rules/container.ts';
import { sampleContainer } from '../testing/sample-container.ts';
import { useTestBox } from '../testing/test-box.ts';
import { followNames, makeNameFollower } from './follow-names.ts';
import { CertificateFailed } from './ports.ts';
import { endHttps, renewHttps, setUpHttps } from './set-up-https.ts';

const t = useTestBox();
const domain = 'box.example.org';
const own = ':80 {\n}\n';
let caddyfile: string;
let ports: Record<string, number>;
/** Where the apps publish them. */
let addresses: string[];

beforeEach(() => {
  caddyfile = join(t.root, 'Caddyfile');
  writeFileSync(caddyfile, own);
  ports = { notes: 5230 };
  addresses = ['0.0.0.0'];
  t.installed('notes');
  t.machine.hosts = new Map([domain, `boxgate-check.${domain}`].map((host) => [host, ['192.168.1.7']]));
  t.machine.pages.set('https://127.0.0.1', { status: 200 });
  t.box.observer = {
    ...t.box.observer,
    look: async () => {
      return { containers: look(), failure: null };
    },
  };
});

/** The containers of `ports`; all other apps are down. */
function look(): Container[] {
  const containers = Object.entries(ports).map(([app, hostPort]) => {
    const published = addresses.map((address) => ({ address, hostPort, containerPort: 80, protocol: 'tcp' }));
    return sampleContainer(app, { workingDirectory: t.box.folders.path(app), published });
  });
  t.box.states.update({ containers });
  return containers;
}
const setup = () =>
  setUpHttps(t.box, {
    setting: { domain, caddyfile, certificate: { by: 'local' }, login: null, closing: null },
  });
const folder = () => t.box.https.folder;
const site = (app: string) => readFileSync(join(folder(), `app-${app}.caddy`), 'utf8');
const isUntouched = () =>
  readFileSync(caddyfile, 'utf8') === own && !existsSync(folder()) && t.box.https.setting() === null;

test('setup makes no second way in where the plain page asks for a login', async () => {
  for (const word of ['basicauth', 'basic_auth', 'forward_auth']) {
    writeFileSync(caddyfile, `:80 {\n\t${word} {\n\t}\n}\n`);
    assert.match(
      (await setup()).text,
      /asks for a login, and the names would ask for none: add a login \(--login NAME/,
      word,
    );
    assert.equal(t.box.https.setting(), null);
  }
  const imported = join(t.root, 'login');
  writeFileSync(imported, 'basicauth {\n}\n');
  writeFileSync(caddyfile, `:80 {\n\timport ${imported}\n}\n`);
  assert.match((await setup()).text, /the names would ask for none/);
  writeFileSync(caddyfile, ':80 {\n\t#basicauth {\n\t#}\n}\n');
  assert.equal((await setup()).status, 0);
  writeFileSync(caddyfile, ':80 {\n\tbasicauth {\n\t}\n}\n');
  const setting = { domain, caddyfile, certificate: { by: 'local' as const }, login: null, closing: null };
  assert.equal((await setUpHttps(t.box, { setting, isOpen: true })).status, 0);
});

test('setup waits until Caddy serves the page, and says if it does not', async () => {
  const served = { status: 200 };
  const { ask } = t.machine;
  let asked = 0;
  t.machine.ask = async (...about) => {
    asked += 1;
    t.machine.pages.set('https://127.0.0.1', asked < 4 ? { problem: 'tlsv1 alert internal error' } : served);
    return ask.apply(t.machine, about);
  };
  assert.equal((await setup()).status, 0);
  t.machine.ask = ask;
  t.machine.pages.set('https://127.0.0.1', { problem: 'tlsv1 alert internal error' });
  const { status, text } = await setup();
  assert.equal(status, 1);
  assert.match(text, /^Caddy does not serve https:\/\/box\.example\.org\/ \(tlsv1 alert internal error\): journalctl/m);
});

test('a failure after the names are there does not say that nothing was changed', async () => {
  t.box.https.keepRootCertificate = async () => {
    throw new StorageFailed('no space left');
  };
  const { status, text } = await setup();
  assert.deepEqual([status, text], [1, 'no space left\nthe names are there; run this again']);
  assert.match((await printRoom(t.box, 'https')).lines.join('\n'), /https:\/\/notes\.box\.example\.org\//);
});

test('what is missing is said, and nothing is changed', async () => {
  const cases: [() => void, RegExp][] = [
    [
      () => t.machine.hosts.clear(),
      /box\.example\.org has no address[\s\S]*\*\.box\.example\.org {2}A {2}192\.168\.1\.7/,
    ],
    [() => t.machine.hosts.delete(`boxgate-check.${domain}`), /^boxgate-check\.box\.example\.org has no address/],
    [() => t.machine.hosts.set(domain, ['203.0.113.9']), /leads to 203\.0\.113\.9/],
    [
      () => {
        t.caddy.refusal = { validate: 'Caddy says: no' };
      },
      /Caddy says: no/,
    ],
    [
      () => {
        t.caddy.refusal = { reload: 'Caddy says: ambiguous site' };
      },
      /ambiguous site/,
    ],
    [
      () => {
        t.caddy.isAway = true;
      },
      /Caddy does not run/,
    ],
    [
      () => {
        caddyfile = '/nowhere/Caddyfile';
      },
      /there is no \/nowhere\/Caddyfile: cp/,
    ],
    [
      () => {
        t.box.observer.look = async () => ({ containers: [], failure: new ContainersFailed('no Docker', true) });
      },
      /no Docker/,
    ],
  ];
  const { hosts } = t.machine;
  const { look: works } = t.box.observer;
  const file = caddyfile;
  for (const [spoil, problem] of cases) {
    t.machine.hosts = new Map(hosts);
    t.caddy.refusal = {};
    t.caddy.isAway = false;
    t.box.observer.look = works;
    caddyfile = file;
    spoil();
    const { status, text } = await setup();
    caddyfile = file;
    assert.equal(status, 1);
    assert.match(text, problem);
    assert.match(text, /nothing was changed$/);
    assert.ok(isUntouched(), text);
  }
});

test('a refused second setup leaves the names of the first', async () => {
  await setup();
  const before = [t.box.https.read(), readFileSync(caddyfile, 'utf8')];
  t.caddy.refusal = { reload: 'no' };
  ports = { notes: 5231 };
  assert.equal((await setup()).status, 1);
  assert.deepEqual([t.box.https.read(), readFileSync(caddyfile, 'utf8')], before);
});

test('a name follows its app; the list has it while the app can be opened', async () => {
  const urls = () => listApps(t.box).map((entry) => entry.open_urls);
  look();
  assert.deepEqual(urls(), [undefined]);
  await setup();
  assert.deepEqual(urls(), [['https://notes.box.example.org/']]);
  ports = { notes: 5231 };
  look();
  await followNames(t.box, false);
  assert.match(site('notes'), /127\.0\.0\.1:5231/);
  ports = {};
  look();
  await followNames(t.box, false);
  assert.match(site('notes'), /503/);
  assert.deepEqual(urls(), [undefined]);
  t.box.states.update({ failure: 'Docker does not answer' });
  ports = { notes: 5231 };
  await followNames(t.box, false);
  assert.match(site('notes'), /503/);
});

test('a name leads to the address at which its app listens, also while Docker does not answer', async () => {
  await setup();
  for (const [published, to] of [
    [['192.168.1.7'], '192.168.1.7:5230'],
    [['fd00::7'], '[fd00::7]:5230'],
    [['::1'], '[::1]:5230'],
    [['127.0.0.1'], '127.0.0.1:5230'],
    [['192.168.1.7', '127.0.0.1'], '127.0.0.1:5230'],
    [['0.0.0.0', '::'], '127.0.0.1:5230'],
  ] as const) {
    addresses = [...published];
    look();
    await followNames(t.box, false);
    t.box.states.update({ failure: 'Docker does not answer' });
    await followNames(t.box, true);
    assert.ok(site('notes').includes(`reverse_proxy ${to}\n`), `${published}: ${site('notes')}`);
  }
});

test('the form of an app offers its name where it has its own address', async () => {
  const manifest = {
    name: 'vault',
    version: '1',
    ports: [8222],
    settings: [{ name: 'A', default: 'http://localhost:8222' }],
  };
  t.bundle('vault', { 'manifest.json': JSON.stringify(manifest), '.env.example': 'A=http://localhost:8222\n' });
  const offered = async () => (await getAppSettings(t.box, 'vault')).settings[0]?.value;
  assert.equal(await offered(), 'http://localhost:8222');
  await setup();
  assert.equal(await offered(), 'https://vault.box.example.org');
});

test('a file that Caddy refuses leaves the last good one; a Caddy that is away finds the new one at its start', async () => {
  await setup();
  const cases: [() => void, number][] = [
    [
      () => {
        t.caddy.refusal = { validate: 'no' };
      },
      5230,
    ],
    [
      () => {
        t.caddy.refusal = { reload: 'no' };
      },
      5230,
    ],
    [
      () => {
        t.caddy.isAway = true;
      },
      5231,
    ],
  ];
  for (const [spoil, port] of cases) {
    t.caddy.refusal = {};
    spoil();
    ports = { notes: 5231 };
    look();
    await assert.rejects(followNames(t.box, false), /no|does not run/);
    assert.match(site('notes'), new RegExp(`:${port}\n`));
  }
  assert.match((await printRoom(t.box, 'https')).lines.join('\n'), /notes/);
});

test('in the background, a failure is warned of once and tried again', async () => {
  const follow = makeNameFollower(t.box);
  follow();
  await setup();
  ports = { notes: 5231 };
  look();
  t.caddy.isAway = true;
  const before = { ...t.caddy };
  const until = async (isDone: () => boolean) => {
    for (follow(); !isDone(); follow()) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  await until(() => t.caddy.tries >= before.tries + 2);
  assert.deepEqual(t.warnings, ['the names with HTTPS do not follow their apps yet: Caddy does not run']);
  t.caddy.isAway = false;
  await until(() => t.caddy.reloads > before.reloads);
});

test('two apps for one name, and names that no host can have, are said', async () => {
  t.installed('notes_');
  t.installed('a_b');
  t.installed('a-b');
  ports = { a_b: 1, 'a-b': 2 };
  const { text } = await setup();
  assert.match(text, /notes_ gets no name/);
  assert.match(text, /a_b gets no name/);
  assert.match(text, /https:\/\/a-b\.box\.example\.org\/ {2}a-b/);
});

test('a doctor says that the names do not follow, or that Caddy does not answer', async () => {
  await setup();
  ports = { notes: 5231 };
  assert.match((await printRoom(t.box, 'https')).lines.join('\n'), /do not follow their apps/);
  ports = { notes: 5230 };
  t.machine.pages.delete('https://127.0.0.1');
  assert.match(
    (await printRoom(t.box, 'https')).lines.join('\n'),
    /does not answer for box\.example\.org \(ECONNREFUSED\)/,
  );
});

test('a certificate of an authority is kept for Caddy alone, renewed, and read by it', async () => {
  const { https } = t.box;
  const ofDns = {
    by: 'dns' as const,
    provider: 'exec',
    email: 'a@b.org',
    server: null,
    resolver: null,
    variables: '/v',
  };
  const setting = { domain, caddyfile, certificate: ofDns, login: null, closing: null };
  const run = () => setUpHttps(t.box, { setting });
  let missing: string | null = 'there is no /v';
  let pem = 'one\n';
  https.certificates = {
    missing: async () => missing,
    obtain: async () => {
      if (pem === '') throw new CertificateFailed('lego says: no');
      return pem;
    },
    forget: async () => undefined,
  };
  assert.match((await renewHttps(t.box)).text, /no certificate to renew/);
  assert.match((await run()).text, /there is no \/v\nnothing was changed/);
  missing = null;
  pem = '';
  assert.match((await run()).text, /lego says: no\nnothing was changed/);
  assert.ok(isUntouched());
  pem = 'one\n';
  assert.match((await run()).text, /renewed by itself/);
  const file = join(folder(), 'certificate.pem');
  assert.deepEqual([readFileSync(file, 'utf8'), statSync(file).mode & 0o777], ['one\n', 0o640]);
  assert.match(site('notes'), /tls \S+certificate\.pem \S+certificate\.pem\n/);
  const { reloads } = t.caddy;
  assert.match((await renewHttps(t.box)).text, /not due yet/);
  pem = 'two\n';
  assert.match((await renewHttps(t.box)).text, /was renewed/);
  assert.deepEqual([readFileSync(file, 'utf8'), t.caddy.reloads], ['two\n', reloads + 2]);
  for (const spoil of [() => (pem = ''), () => (t.caddy.isAway = true)]) {
    pem = 'two\n';
    spoil();
    assert.equal((await renewHttps(t.box)).status, 1);
  }
});

test('a login is kept as a hash, and each plain page is named that has none', async () => {
  const login = { name: 'ada', hash: '', of: 'all' as const, except: ['notes', 'nots'] };
  const setting = { domain, caddyfile, certificate: { by: 'local' as const }, login, closing: null };
  const setUp = () => setUpHttps(t.box, { setting, password: 'correct horse' });
  for (const page of [{ status: 401 }, { status: 200, text: 'another page' }, { problem: 'ECONNREFUSED' }]) {
    t.machine.pages.set('http://192.168.1.7', page);
    assert.doesNotMatch((await setUp()).text, /plain page/);
  }
  const running = { version: '1', unit: null, pid: 1 };
  await t.box.selfUpdate.updateFiles.writeRunning({ ...running, address: 'http://0.0.0.0:7000' });
  for (const port of ['', ':7000']) {
    t.machine.pages.set(`http://192.168.1.7${port}`, { status: 200, text: t.box.page().html.slice(0, 1000) });
  }
  const { text } = await setUp();
  assert.match(
    text,
    /asks for the login ada for the page and the apps, but not for notes, nots\nthe plain page is open/,
  );
  assert.match(
    text,
    /open at http:\/\/192\.168\.1\.7\/apps and asks for no login: switch the login on in \S+Caddyfile/,
  );
  assert.match(text, /open at http:\/\/192\.168\.1\.7:7000\/apps and asks for no login: set BOX_HOST=127\.0\.0\.1/);
  await t.box.selfUpdate.updateFiles.writeRunning({ ...running, address: 'http://127.0.0.1:7000' });
  t.machine.pages.set('http://127.0.0.1:7000', { status: 200, text: t.box.page().html });
  assert.doesNotMatch((await setUp()).text, /:7000/);
  assert.match(text, /^note: nots, which is to be left out, is not installed$/m);
  assert.deepEqual(t.box.https.setting()?.login, { ...login, hash: await t.caddy.hash() });
  assert.doesNotMatch([...t.box.https.read().values()].join() + text, /correct horse/);
});

test('a login of the owner is a file of lines that has to be there', async () => {
  const file = join(t.root, 'login.caddy');
  const setUp = (of: string) =>
    setUpHttps(t.box, {
      setting: {
        ...{ domain, caddyfile, certificate: { by: 'local' }, closing: null },
        login: { file: of, of: 'apps', except: [] },
      },
    });
  assert.match((await setUp(file)).text, /there is no \S+login\.caddy: .*example\nnothing was changed/);
  assert.match((await setUp(`${t.root}/{x}`)).text, /special characters\nnothing was changed/);
  writeFileSync(file, '# forward_auth localhost:9091\n\n');
  assert.match((await setUp(file)).text, /has no line that asks for a login\nnothing was changed/);
  writeFileSync(file, 'forward_auth {$AUTH}\n');
  assert.match((await setUp(file)).text, /has variables[^\n]*\nnothing was changed/);
  writeFileSync(file, 'forward_auth localhost:9091\n');
  t.box.https.isForCaddy = async () => false;
  assert.match(
    (await setUp(file)).text,
    /Caddy may not read \S+login\.caddy: sudo chgrp caddy [^\n]*\nnothing was changed/,
  );
  t.box.https.isForCaddy = async () => true;
  assert.match((await setUp(file)).text, /asks for a login, as \S+login\.caddy says, for the apps$/m);
  assert.match(site('notes'), /\timport \S+login\.caddy\n/);
});

test('--close-ports lets the ports follow, leaves published apps open, and off opens all again', async () => {
  t.installed('shop');
  await reconcile(t.box, null);
  ports = { notes: 5230, shop: 8000 };
  const urls = new Map([[t.box.folders.path('shop'), ['https://shop.example.org']]]);
  t.box.addresses = { ...t.box.addresses, urls: () => urls };
  const setting = { domain, caddyfile, certificate: { by: 'local' as const }, login: null, closing: { except: [] } };
  const close = () => setUpHttps(t.box, { setting });
  t.box.https.composeVersion = async () => '2.23.0';
  assert.match((await close()).text, /needs Docker Compose 2\.24\.4[\s\S]*nothing was changed/);
  assert.ok(isUntouched());
  t.box.https.composeVersion = async () => '2.26.1';

  const closedApps = () => [...t.box.records.load()].flatMap(([name, { isClosed }]) => (isClosed ? [name] : []));
  const ups = () => t.containers.calls.filter((call) => call.startsWith('up')).length;
  t.machine.pages.set('https://127.0.0.1', { problem: 'tlsv1 alert internal error' });
  const silent = await close();
  assert.match(silent.text, /Caddy does not serve [^\n]*\nso no port was closed\n/);
  assert.deepEqual([silent.status, closedApps()], [1, []]);
  t.machine.pages.set('https://127.0.0.1', { status: 200 });
  const { status, text } = await close();
  assert.equal(status, 0, text);
  assert.match(text, /the ports of shop stay open, because the gateway reaches the app there/);
  assert.deepEqual(closedApps(), ['notes']);
  t.machine.pages.set('https://127.0.0.1', { status: 200 });
  const manifest = { name: 'notes', version: '1', ports: [{ port: 80, protocol: 'http' }], settings: [] };
  t.installed('notes', { 'manifest.json': JSON.stringify(manifest) });
  assert.match(
    (await printRoom(t.box, 'https')).lines.join('\n'),
    /port 5230 of notes is open, though its name alone is to lead there: a restart of notes/,
  );
  t.containers.failing.set('up', new ContainersFailed('no room', false));
  const opened = await setUpHttps(t.box, { setting: { ...setting, closing: null } });
  assert.deepEqual([opened.status, /notes: no room/.test(opened.text)], [1, true], opened.text);
  t.containers.failing.clear();
  assert.equal((await close()).status, 0);
  t.containers.failing.set('up', new ContainersFailed('no room', false));
  assert.equal((await endHttps(t.box)).status, 1);
  assert.deepEqual(closedApps(), ['notes']);
  t.containers.failing.clear();
  const before = ups();
  assert.deepEqual(await endHttps(t.box), { status: 0, text: 'there are no names with HTTPS' });
  assert.deepEqual([closedApps(), ups() > before], [[], true]);
  assert.ok(isUntouched());
});
