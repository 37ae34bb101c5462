// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { actByCommand } from '../../console/rooms.ts';
import { ContainersFailed, StorageFailed } from '../core.ts';
import { useTestBox } from '../testing/test-box.ts';
import { ownAppsRoom } from './room.ts';

const notes =
  'services:\n  web:\n    image: notes:1\n    ports: ["8080:80"]\n    volumes: ["./data:/data"]\n' +
  '    environment: {DB_PASSWORD: "${DB_PASSWORD}", KEEP: "${DAYS:-7}", SITE: "${SITE:?}"}\n';

const testBox = useTestBox();

const check = async (text: string, title = 'My Notes') => {
  const outcome = await ownAppsRoom(testBox.box).actions?.check?.run({ text, title });
  const rows = outcome?.shown?.rows ?? [];
  return {
    texts: rows.flatMap(({ text: first, facts = [] }) => [first, ...facts]),
    action: outcome?.shown?.actions?.[0],
    given: outcome?.shown?.actions?.[0]?.given ?? {},
  };
};
const act = (name: string, fields: Record<string, string>) => actByCommand(testBox.box, { act: `own/${name}`, fields });

test('an owner checks a pasted file, keeps what was shown, pastes a newer one, and removes it from the offer', async () => {
  const { box, directories } = testBox;
  const before = testBox.tree();
  const { texts, action, given } = await check(notes);
  assert.deepEqual(texts, [
    'web',
    'It runs notes:1.',
    'Ports of this machine: 8080.',
    'Folders of its own: data.',
    'The form of the install asks for',
    'DB_PASSWORD: a secret, made for you.',
    'SITE: has to be filled in.',
    'DAYS: begins with 7.',
    'Port 8080: begins with 8080.',
  ]);
  assert.deepEqual(action?.fields?.[0]?.choices, [
    { value: '8080', text: '8080' },
    { value: '', text: 'It has no page' },
  ]);
  const left = testBox.tree().filter((path) => !before.includes(path));
  assert.deepEqual(left, ['state/own-apps.lock'], 'a check leaves nothing');

  await assert.rejects(act('keep', { ...given, text: `${notes}# more\n` }), /finds something else now/);
  assert.equal(existsSync(directories.catalogue), false);
  const kept = await act('keep', { ...given, page: '8080' });
  assert.deepEqual(kept, { status: 0, text: 'My Notes is kept. It is offered on the page Apps now.' });
  const app = join(directories.catalogue, 'my-notes');
  assert.equal(readFileSync(join(app, 'pasted.yaml'), 'utf8'), notes);
  assert.deepEqual([statSync(app).mode & 0o777, statSync(join(app, 'data')).mode & 0o777], [0o700, 0o777]);
  const [offered] = box.apps.all('bundled');
  assert.deepEqual([offered?.name, offered?.manifest?.display_name], ['my-notes', 'My Notes']);
  assert.deepEqual(offered?.manifest?.ports, [{ port: 8080, protocol: 'http', label: 'Web page' }]);
  const rows = (await ownAppsRoom(box).read('')).sections[1]?.rows;
  assert.deepEqual([rows?.[0]?.text, rows?.[0]?.facts], ['My Notes', ['Not installed.']]);

  testBox.installed('my-notes', { 'pasted.yaml': notes });
  const newer = await check(notes.replace('notes:1', 'notes:2'), ' my notes');
  assert.match(newer.texts[0] ?? '', /^It replaces the file/);
  assert.match((await act('keep', { ...newer.given })).text, /Its newer version is offered/);
  assert.deepEqual(
    box.apps.all('bundled').map(({ manifest }) => manifest?.version),
    ['2'],
  );
  await act('remove', { name: 'my-notes' });
  assert.deepEqual(
    testBox.tree().filter((path) => path.startsWith('catalogue/')),
    ['catalogue/'],
  );
});

test('a paste never takes the name of another app, nor a folder that was made by hand', async () => {
  testBox.own('by-hand');
  testBox.bundle('memos');
  testBox.installed('files');
  for (const title of ['By Hand', 'Memos', 'files'])
    await assert.rejects(check(notes, title), /choose another name/, title);
  await assert.rejects(act('remove', { name: 'by-hand' }), /there is no app by-hand/);
  await assert.rejects(act('remove', { name: '..' }), /there is no app \.\./);
  await assert.rejects(check(notes, '..'), /needs a letter/);
});

test('what makes an app as good as root is a warning of the check', async () => {
  const { texts, action } = await check(
    'services:\n  web:\n    image: notes:1\n    privileged: true\n    network_mode: host\n' +
      '    volumes: ["/var/run/docker.sock:/run/docker.sock", ".:/app"]\n',
  );
  assert.match(texts[0] ?? '', /^As good as root on the box: web \(privileged, .*docker\.sock.*own compose\.yaml/);
  assert.deepEqual(action?.fields?.[0]?.type, 'number');
});

test('a file that Compose does not take, a missing Docker and a full disk are said, and leave nothing', async () => {
  const { box, containers } = testBox;
  await assert.rejects(check('services: {}'), /this file makes no app: it has no services/);
  containers.failing.set('config', new ContainersFailed('services.web.ports must be a list', false));
  await assert.rejects(check(notes), /could not be checked: services\.web\.ports must be a list/);
  containers.failing.set(
    'config',
    new ContainersFailed('the program docker is not on PATH; is Docker installed?', true),
  );
  await assert.rejects(check(notes), /is Docker installed\?/);
  containers.failing.clear();
  const { given } = await check(notes);
  box.ownApps.keep = async () => {
    throw new StorageFailed('cannot write the app my-notes: no space left on the disk');
  };
  await assert.rejects(act('keep', given), /no space left/);
  const left = testBox.tree().filter((path) => path.includes('own-check') || path.includes('catalogue'));
  assert.deepEqual(left, []);
});
