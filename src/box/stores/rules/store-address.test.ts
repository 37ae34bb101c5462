import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isStoreName, readStoreAddress, storeNameOf } from './store-address.ts';

const taken: [typed: string, kind: string, address: string, name: string][] = [
  [
    ' https://github.com/IceWhaleTech/CasaOS-AppStore ',
    'git',
    'https://github.com/IceWhaleTech/CasaOS-AppStore',
    'casaos',
  ],
  ['https://git.example/me/runtipi-appstore.git/', 'git', 'https://git.example/me/runtipi-appstore.git', 'runtipi'],
  ['http://nas.local:3000/apps', 'git', 'http://nas.local:3000/apps', 'apps'],
  ['https://git.example/a"b', 'git', 'https://git.example/a%22b', 'a-22b'],
  ['/srv/.//My Store/', 'folder', '/srv/My Store', 'my-store'],
  ['/', 'folder', '/', 'store'],
];

for (const [typed, kind, address, name] of taken) {
  test(`${typed} is the address of a store`, () => {
    const read = readStoreAddress(typed);
    assert.deepEqual(read, { kind, address });
    assert.ok(!('fault' in read));
    assert.equal(storeNameOf(read), name);
    assert.ok(isStoreName(name));
  });
}

const refused: [typed: string, why: RegExp][] = [
  ['', /found nothing$/],
  ['ext::sh -c id', /expected https/],
  ['file:///etc', /expected https/],
  ['ssh://git@git.example/a', /expected https/],
  ['git@git.example:a/b', /expected https/],
  ['--upload-pack=id', /expected https/],
  ['https:git.example', /expected https/],
  ['relative/path', /expected https/],
  ['https://me:secret@git.example/a', /^it has a user name or a password/],
  ['https://git.example/a?b', /without \? and #$/],
  ['https://git.example/a#b', /without \? and #$/],
  ['http://169.254.169.254/latest', /network card/],
  ['http://2852039166/latest', /network card/],
  ['http://[fe80::1]/a', /network card/],
  ['http://[::ffff:169.254.169.254]/a', /network card/],
  ['http://metadata.google.internal/a', /network card/],
  ['http://metadata.google.internal./a', /network card/],
  ['https://git.example/a\nb', /control characters/],
  [`https://git.example/${'a'.repeat(2048)}`, /2048 characters/],
];

for (const [typed, why] of refused) {
  test(`${typed.slice(0, 50)} is no address of a store`, () => {
    const read = readStoreAddress(typed);
    assert.match('fault' in read ? read.fault : '', why);
  });
}
