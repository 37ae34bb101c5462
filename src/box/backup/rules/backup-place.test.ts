import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf, hostOf, parsePlaces, placeOf, placesText, sshOption, withSecrets } from './backup-place.ts';

const hostKey = `ssh-ed25519 ${'A'.repeat(68)}`;
const sftp = { host: 'nas.example.org', user: 'box', path: '/backups/box', hostKey };
const s3 = { server: 'https://s3.example.org', bucket: 'bucket', path: 'box', accessKey: 'AK', secret: 'sk/1' };

test('a place of each kind is an address of restic', () => {
  const rest = { server: 'nas.example.org:8000/', path: '/box/', user: 'me', password: 'p@ss/w:1' };
  // biome-ignore format: a table
  const places = [
    ['disk', { mount: '/mnt/usb' }, '/mnt/usb/boxgate-backups', null],
    ['disk', { mount: '/mnt/usb', folder: 'old/box' }, '/mnt/usb/old/box', null],
    ['sftp', sftp, 'sftp://box@nas.example.org:22//backups/box', 'nas.example.org'],
    ['sftp', { ...sftp, host: '[fd00::7]', port: '23', path: 'a b/' }, 'sftp://box@[fd00::7]:23/a%20b', 'fd00::7'],
    ['s3', s3, 's3:https://s3.example.org/bucket/box', 's3.example.org'],
    ['s3', { ...s3, server: 'http://192.168.1.20:9000', path: '' }, 's3:http://192.168.1.20:9000/bucket', '192.168.1.20'],
    ['rest', rest, 'rest:https://me:p%40ss%2Fw%3A1@nas.example.org:8000/box/', 'nas.example.org'],
    ['rest', { server: 'http://[fd00::7]:8000' }, 'rest:http://[fd00::7]:8000/', 'fd00::7'],
    ['address', { address: 'b2:bucket:my box' }, 'b2:bucket:my box', null],
  ] as const;
  for (const [kind, fields, address, host] of places) {
    const found = placeOf(kind, fields);
    if (!('place' in found)) return assert.fail(found.problem);
    assert.deepEqual([addressOf(found.place), hostOf(found.place)], [address, host]);
  }
});

test('no field is an option, another address or a way out of a folder, and no secret is quoted', () => {
  // biome-ignore format: a table
  const wrong = [
    ['disk', { mount: 'mnt' }], ['disk', { mount: '/mnt/usb', folder: '../etc' }],
    ['disk', { mount: '/mnt/usb', folder: '/etc' }], ['disk', { mount: '/mnt/usb', folder: 'a/.ssh' }],
    ['sftp', { ...sftp, host: '-oProxyCommand=x' }], ['sftp', { ...sftp, host: 'a b' }], ['sftp', { ...sftp, host: '' }],
    ['sftp', { ...sftp, host: '.a' }], ['sftp', { ...sftp, host: 'a:b' }], ['sftp', { ...sftp, user: '-x' }], ['sftp', { ...sftp, user: "a'b" }], ['sftp', { ...sftp, user: '' }],
    ['sftp', { ...sftp, port: '0' }], ['sftp', { ...sftp, port: '70000' }], ['sftp', { ...sftp, path: '/a/../b' }],
    ['sftp', { ...sftp, path: 'a%2Fb' }], ['sftp', { ...sftp, path: 'a\nb' }], ['sftp', { ...sftp, hostKey: '' }],
    ['s3', { ...s3, server: 'http://s3.example.org' }], ['s3', { ...s3, server: 'file:///etc' }],
    ['s3', { ...s3, server: 'https://me:pw@s3.example.org' }], ['s3', { ...s3, server: 'http://169.254.169.254' }],
    ['s3', { ...s3, server: 'https://s3.example.org/x?y' }], ['s3', { ...s3, server: 'http://8.8.8.8' }],
    ['s3', { ...s3, server: '' }], ['s3', { ...s3, bucket: 'a/b' }], ['s3', { ...s3, path: '..' }],
    ['s3', { ...s3, accessKey: '' }], ['rest', { server: 'https://x.org', path: 'a?b' }], ['local', {}], ['constructor', {}],
  ] as const;
  for (const [kind, fields] of wrong) {
    assert.ok('problem' in placeOf(kind, fields), JSON.stringify(fields));
  }
  assert.deepEqual(placeOf('s3', { ...s3, secret: 'se cret' }), {
    problem: 'the secret key: expected a key without blanks; found something else',
  });
  assert.deepEqual(placeOf('sftp', { ...sftp, port: 'x' }), {
    problem: 'the port: expected a number from 1 to 65535, such as 22; found "x"',
  });
});

test('the file has what the page has set', () => {
  const found = placeOf('s3', s3);
  const place = 'place' in found ? found.place : null;
  const keep = { daily: 1, weekly: 2, monthly: 3, 'other-days': 4 };
  for (const settings of [
    { place, keep },
    { place: null, keep: 'all' as const },
    { place: null, keep: null },
  ]) {
    assert.deepEqual(parsePlaces(JSON.stringify(placesText(settings))), settings);
  }
  assert.deepEqual(parsePlaces(''), { place: null, keep: null });
  for (const text of ['[]', '{', '{"place":"/x"}', '{"place":{"kind":"s3"}}', '{"place":{}}', '{"keep":"daily"}']) {
    assert.equal(parsePlaces(text), undefined, text);
  }
});

test('a secret that is left empty stays, but no other server learns it', () => {
  const found = placeOf('rest', { server: 'a.org', user: 'me', password: 'pw' });
  const before = 'place' in found ? found.place : null;
  const typed = { server: 'a.org', user: 'me', path: 'x', password: '' };
  assert.equal(withSecrets('rest', typed, before).password, 'pw');
  assert.equal(withSecrets('rest', { ...typed, password: 'new' }, before).password, 'new');
  const { password: _left, ...without } = typed;
  assert.equal(withSecrets('rest', without, before).password, 'pw');
  for (const [kind, fields, known] of [
    ['rest', { ...typed, server: 'evil.org' }, before],
    ['rest', { ...typed, user: 'you' }, before],
    ['rest', { ...typed, server: 'ftp://x' }, before],
    ['s3', typed, before],
    ['rest', typed, null],
  ] as const) {
    assert.equal(withSecrets(kind, fields, known).password, '');
  }
});

test('the command of SSH reads no settings and takes only the pinned key', () => {
  const place = { host: 'nas', port: '23', user: 'box' };
  const command = sshOption(place, { key: '/s p/id', alias: 'boxgate-1', knownHosts: '/s p/boxgate-1' });
  assert.match(command, /^"sftp\.command='ssh' '-F' '\/dev\/null' '-i' '\/s p\/id' '-o' 'BatchMode=yes' /);
  assert.match(command, / '-o' 'StrictHostKeyChecking=yes' /);
  assert.match(command, / '-o' 'UserKnownHostsFile=""\/s p\/boxgate-1""' /);
  assert.match(command, / '-p' '23' '-l' 'box' '-s' '--' 'nas' 'sftp'"$/);
});
