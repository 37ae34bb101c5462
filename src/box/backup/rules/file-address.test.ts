import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { fileAddress, folderOf, nameOf, readFileAddress } from './file-address.ts';

const id = '0123abcd';

test('an address holds any path that a file can have', () => {
  for (const path of ['/', '/srv/a b', '/x/%2e%2e/ü\n"<b>', '/...']) {
    deepEqual(readFileAddress(fileAddress({ id, path })), { id, path });
  }
  deepEqual(['/', '/a', '/a/b'].map(nameOf), ['', 'a', 'b']);
  deepEqual(['/', '/a', '/a/b'].map(folderOf), ['/', '/', '/a']);
});

test('anything else is no address', () => {
  const coded = (path: string) => fileAddress({ id, path });
  for (const text of [
    '',
    id,
    `${id}/`,
    `0123ABCD${coded('/a').slice(8)}`,
    `--option${coded('/a').slice(8)}`,
    `${coded('/a')}/..`,
    `${coded('/a')}=`,
    coded('relative'),
    coded('/a\0b'),
    coded(`/${'a'.repeat(4096)}`),
    `${id}/${Buffer.from([0x2f, 0xff]).toString('base64url')}`,
  ]) {
    equal(readFileAddress(text), null, text);
  }
});
