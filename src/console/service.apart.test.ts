import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { listBundledApps } from '../box/apps/list-apps.ts';
import { makeBackups } from '../box/backup/make-backup.ts';
import { fileAddress } from '../box/backup/rules/file-address.ts';
import type { Room } from '../box/report.ts';
import { makeTestBox } from '../box/testing/test-box.ts';
import type { Head } from '../http/exchange.ts';
import { listen } from '../http/listen.ts';
import type { Match } from '../http/match.ts';
import type { Stream } from '../http/reply.ts';
import { rawClient } from '../http/testing/raw-client.ts';
import type { Snapshot } from '../restic/ports.ts';
import { makeRooms } from './rooms.ts';
import { boundStreams, consoleService } from './service.ts';
import { operations } from './validators.gen.ts';

const testBox = makeTestBox();
const { box, changes, directories } = testBox;
after(testBox.dispose);
const carriedOut: object[] = [];
const begun: string[] = [];
const waiting = Promise.withResolvers<void>();
const room: Room = {
  path: 'trash',
  title: 'Trash',
  async read(app) {
    begun.push(app);
    await waiting.promise;
    return { sections: [] };
  },
  actions: {
    restore: {
      verb: 'restore from the trash',
      subject: 'id',
      fields: { id: 5 },
      async run(fields) {
        carriedOut.push(fields);
        return { ok: false, text: 'back\nbut it does not run' };
      },
    },
  },
};
const own = {
  machineName: 'pi',
  allowedHosts: [],
  addresses: ['127.0.0.1'],
  tunnelAddresses: ['10.8.0.2'],
  port: 7001,
};
const page = () => ({ html: '<!doctype html>', headers: {} });
const service = consoleService(
  { box, rooms: [room, { ...room, path: 'trash/' }], page, askStates: async () => null },
  own,
  '1.2.3',
);
const listening = await listen({ host: '127.0.0.1', port: 0, service });
after(() => listening.close());
const client = await rawClient(listening.port);
after(() => client.socket.destroy());

async function ask(method: string, path: string, headers: Record<string, string> = {}, body = '') {
  const all = { Host: 'box', ...headers, ...(body === '' ? {} : { 'Content-Length': String(body.length) }) };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  client.send(`${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n${body}`);
  const answer = await client.answer({ head: method === 'HEAD' });
  return { ...answer, refusal: answer.headers.get('boxgate-error') };
}

const act = (body: object, headers = {}) => ask('POST', '/settings/api/acts', headers, JSON.stringify(body));

test('every path is below /settings/, and every change is a POST', () => {
  assert.deepEqual(
    operations.filter(({ path }) => !path.startsWith('/settings/')),
    [],
  );
  const posts = operations.filter(({ method }) => method !== 'GET').map(({ operationId }) => operationId);
  assert.deepEqual(posts, ['act']);
});

test('every operation is refused under a foreign host, through the tunnel and from another site', async () => {
  for (const { method, path: documented, operationId } of operations) {
    const path = documented.replace(/\{\w+\}/, 'trash');
    const body = operationId === 'act' ? '{"act":"trash/restore","fields":{}}' : '';
    const refusalOf = async (headers: Record<string, string>) => (await ask(method, path, headers, body)).refusal;
    assert.equal(await refusalOf({ Host: 'evil.example.org' }), 'foreignHost', path);
    assert.equal(await refusalOf({ Host: '10.8.0.2' }), 'tunnelHost', path);
    // Others may link to the page.
    if (operationId === 'showConsole') continue;
    assert.equal(await refusalOf({ 'Sec-Fetch-Site': 'cross-site' }), 'crossSite', path);
    assert.equal(await refusalOf({ 'Sec-Fetch-Site': 'same-site' }), 'crossSite', path);
    assert.equal(await refusalOf({ Origin: 'http://evil.example.org' }), 'crossSite', path);
  }
  assert.deepEqual([begun, carriedOut], [[], []], 'no room was reached');
});

/** They are acts, because they take long or reach out. */
const changesNothing = ['backups/check', 'updates/look', 'notifications/test', 'own/check'];

test('every action that changes something has a verb in the journal', async () => {
  const rooms = await makeRooms(box);
  const named = rooms.flatMap(({ path, actions = {} }) =>
    Object.entries(actions).map(([name, action]) => [`${path.replace('/', '')}/${name}`, action] as const),
  );
  const without = named.filter(([, { verb }]) => verb === null).map(([name]) => name);
  assert.deepEqual(without, changesNothing);
  assert.equal(new Set(named.map(([name]) => name)).size, named.length);
});

test('an action gets its own fields only, and is written down with the address of the client', async () => {
  const fields = { id: 'x', other: 'y' };
  const { status, body } = await act({ act: 'trash/restore', fields }, { 'X-Forwarded-For': '192.0.2.7' });
  assert.deepEqual([status, JSON.parse(body)], [200, { ok: false, text: 'back\nbut it does not run' }]);
  assert.deepEqual(carriedOut.splice(0), [{ id: 'x' }]);
  const [{ operation, subject, by, isPartial, detail } = {}] = changes.splice(0);
  assert.deepEqual([operation, subject, by], ['restore from the trash', 'x', 'from 192.0.2.7']);
  assert.deepEqual([isPartial, detail], [true, 'back']);
});

test('what no room has is refused by name, and carries out nothing', async () => {
  for (const [method, path, refusal] of [
    ['GET', '/', 'notFound'],
    ['GET', '/settings', 'notFound'],
    ['GET', '/settings/x', 'notFound'],
    ['GET', '/api/apps', 'notFound'],
    ['GET', '/settings/api/rooms/none', 'notFound'],
    ['GET', '/settings/api/rooms/', 'notFound'],
    ['GET', '/settings/api/logs/', 'invalidAppName'],
    ['GET', '/settings/api/root.crt', 'notFound'],
    ['POST', '/settings/', 'notFound'],
    ['PUT', '/settings/api/acts', 'methodNotAllowed'],
  ] as const) {
    assert.equal((await ask(method, path)).refusal, refusal, `${method} ${path}`);
  }
  for (const body of [
    {},
    { act: 'trash/restore' },
    { act: 'trash/none', fields: {} },
    { act: 'none/restore', fields: {} },
    { act: 'trash/toString', fields: {} },
    { act: 1, fields: {} },
    { act: 'trash/restore', fields: { id: 1 } },
    { act: 'trash/restore', fields: { id: 'longer' } },
  ]) {
    assert.equal((await act(body)).refusal, 'invalidAct', JSON.stringify(body));
  }
  assert.deepEqual([carriedOut, changes], [[], []]);
});

/** Enough of a PNG of one pixel to be taken for one. */
const png = Buffer.from(`89504e470d0a1a0a0000000d49484452${'00000001'.repeat(2)}${'0'.repeat(16)}`, 'hex');
const gif = Buffer.from(`47494638396101000100${'0'.repeat(60)}`, 'hex');

test('an icon is a picture of an app, typed by its bytes, and nothing else of the box', async () => {
  const refused = 'notFound';
  const manifest = (icon: string) => JSON.stringify({ name: 'x', version: '1', icon });
  const withIcon = (icon: string, bytes: Buffer | string = png) => ({ 'manifest.json': manifest(icon), [icon]: bytes });
  testBox.installed('mine', withIcon('icon.png'));
  testBox.bundle('mine', withIcon('icon.png', gif));
  testBox.bundle('offered', withIcon('icon.svg', gif));
  testBox.bundle('a b', withIcon('icon'));
  testBox.installed('torn', { 'manifest.json': '{' });
  testBox.bundle('torn', withIcon('icon.png'));
  testBox.bundle('page', withIcon('icon.png', '<script>alert(1)</script>'.repeat(9)));
  testBox.bundle('drawn', withIcon('icon.svg', `<svg>${' '.repeat(99)}</svg>`));
  testBox.bundle('large', withIcon('icon.png', Buffer.concat([png, Buffer.alloc(256 * 1024)])));
  testBox.bundle('none', { 'manifest.json': manifest('gone.png') });
  testBox.bundle('above', { 'manifest.json': manifest('../offered/icon.svg') });
  testBox.bundle('linked', { 'manifest.json': manifest('icon.png') });
  symlinkSync(join(directories.bundled, 'offered/icon.svg'), join(directories.bundled, 'linked/icon.png'));
  testBox.bundle('folder', { 'manifest.json': manifest('icon.png') });
  mkdirSync(join(directories.bundled, 'folder/icon.png'));
  symlinkSync(join(directories.bundled, 'offered'), join(directories.bundled, 'elsewhere'));
  for (const [name, expected] of [
    ['mine', 'image/png'],
    ['offered', 'image/gif'],
    ['offered?v=0', 'image/gif'],
    ['a%20b', 'image/png'],
    ['torn', 'image/png'],
    ['page', refused],
    ['drawn', refused],
    ['large', refused],
    ['none', refused],
    ['above', refused],
    ['linked', refused],
    ['folder', refused],
    ['elsewhere', refused],
    ['absent', refused],
    ['..', refused],
    ['%2e%2e', refused],
    ['.hidden', refused],
    ['offered%2f..%2fmine', refused],
    ['offered/icon.svg', 'invalidAppName'],
    ['', 'invalidAppName'],
  ] as const) {
    const { status, headers, refusal } = await ask('HEAD', `/settings/icons/${name}`);
    const isPicture = expected.startsWith('image/');
    assert.deepEqual([status === 200, refusal ?? headers.get('content-type')], [isPicture, expected], name);
    if (!isPicture) continue;
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('content-security-policy'), 'sandbox');
    assert.equal(headers.get('cache-control'), 'private, max-age=31536000, immutable');
  }
  const urls = listBundledApps(box).flatMap(({ name, icon_url: url }) => (url === undefined ? [] : [[name, url]]));
  assert.deepEqual(
    urls.map(([name, url = '']) => [name, url.replace(/=.*/, '')]),
    [
      ['a b', '/settings/icons/a%20b?v'],
      ['offered', '/settings/icons/offered?v'],
      ['torn', '/settings/icons/torn?v'],
    ],
  );
});

test('a file of a backup is saved as it is, a folder as an archive, and each leaves a line in the journal', async () => {
  const { repository, installed } = testBox;
  repository.isInstalled = true;
  const name = `it's "ü"\n<b>.html`;
  installed('notes', { [name]: '<script>alert(1)</script>' });
  await makeBackups(box, { name: 'notes', tell: () => undefined, isStopping: () => false });
  const { id = '' } = repository.kept.at(-1) ?? {};
  changes.splice(0);
  const folder = join(directories.installed, 'notes');
  const at = (path: string, of = id) => `/settings/api/backup-files/${fileAddress({ id: of, path })}`;
  const download = async (path: string) => {
    const answer = await fetch(`${listening.url}${at(path)}`, { headers: { 'X-Forwarded-For': '192.0.2.7' } });
    return { text: await answer.text(), headers: (header: string) => answer.headers.get(header) };
  };
  const { text, headers } = await download(`${folder}/${name}`);
  assert.equal(text, '<script>alert(1)</script>');
  assert.equal(headers('content-type'), 'application/octet-stream');
  assert.equal(headers('x-content-type-options'), 'nosniff');
  assert.equal(headers('content-security-policy'), 'sandbox');
  assert.equal(headers('cache-control'), 'no-store');
  const coded = 'it%27s%20%22%C3%BC%22%0A%3Cb%3E.html';
  assert.equal(headers('content-disposition'), `attachment; filename="it_s _____b_.html"; filename*=UTF-8''${coded}`);
  const archive = await download(folder);
  assert.equal(archive.text, `an archive of ${folder}`);
  assert.match(archive.headers('content-disposition') ?? '', /filename="notes-notes-1970-01-01\.tar"/);
  assert.deepEqual(
    changes.splice(0).map(({ operation, by, outcome, detail }) => [operation, by, outcome, detail.split(' of ')[1]]),
    Array(2).fill(['download from a backup', 'from 192.0.2.7', 'ok', 'notes, 1970-01-01 00:01 UTC']),
  );

  repository.kept.push({ ...(repository.kept.at(-1) as Snapshot), id: 'feedbeef', tags: ['photos of somebody else'] });
  for (const [path, refusal] of [
    [at(folder, 'feedbeef'), 'backupFileGone'],
    [at(folder, '99999999'), 'backupFileGone'],
    ['/settings/api/backup-files/00000001/..%2f..', 'backupFileGone'],
    ['/settings/api/backup-files/--help/Lw', 'backupFileGone'],
    [at(`${folder}/none`), 'backupsFailed'],
  ] as const) {
    assert.equal((await ask('GET', path)).refusal, refusal, path);
  }
});

test('the root certificate is a file that devices can install', async () => {
  await box.https.makeFolder();
  await box.https.keepRootCertificate('-----BEGIN CERTIFICATE-----\n');
  const { headers, body } = await ask('GET', '/settings/api/root.crt');
  assert.deepEqual(
    [headers.get('content-type'), body],
    ['application/x-x509-ca-cert', '-----BEGIN CERTIFICATE-----\n'],
  );
});

test('reads of one room share their work, until a change ends', async () => {
  const { handle, match } = service;
  const head = (method: string, path: string) => ({ method, path, headers: {} }) as Head;
  const call = (method: string, path: string, body = {}) =>
    handle(match(head(method, path)) as Match, body, head(method, path));
  const read = (name: string) => call('GET', `/settings/api/rooms/trash/${name}`);
  const answers = Array.from({ length: 60 }, (_, index) => read(index % 2 === 0 ? 'a' : 'b%20c'));
  await call('POST', '/settings/api/acts', { act: 'trash/restore', fields: {} });
  answers.push(read('a'));
  waiting.resolve();
  assert.ok((await Promise.all(answers)).every(({ status }) => status === 200));
  assert.deepEqual(begun, ['a', 'b c', 'a']);
});

test('a stream too many is refused, until another one has ended', async () => {
  const bound = boundStreams(20);
  const { signal } = new AbortController();
  const body: Stream = async function* () {
    yield 'line';
  };
  const open = () =>
    (bound({ status: 200, type: 'text/event-stream', body }).body as Stream)(signal)[Symbol.asyncIterator]();
  const streams = Array.from({ length: 20 }, open);
  for (const stream of streams) assert.equal((await stream.next()).value, 'line');
  assert.throws(open, { refusal: 'tooManyStreams', status: 503 });
  assert.deepEqual(bound({ status: 200, body: {} }), { status: 200, body: {} });
  await streams[0]?.return?.();
  assert.equal((await open().next()).value, 'line');
});
