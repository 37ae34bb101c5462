import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listenAddress, repositoryAddress } from './parsers.ts';

const isTaken = null;
const isOdd = /character that an address cannot have: write such a character as % and two hex digits/;
const isElse = /^expected an absolute path or an address of restic, without a space around it/;

const addresses: [address: string, problem: RegExp | null][] = [
  ['/mnt/my disk/backups', isTaken],
  ['sftp:root@nas:/my backups', isTaken],
  ['rest:https://me:p%2Fw%25@nas:8000/', isTaken],
  ["rest:https://me:p@ss:w!o$r&d'(*)+,;=~@nas/", isTaken],
  ['rest:http://me:SECRET/SECRET@nas/', isOdd],
  ['rest:http://me:SECRET?x@nas/', isOdd],
  ['rest:http://me:SECRET#x@nas/', isOdd],
  ['rest:http://me:SECRET%@nas/', isOdd],
  ['rest:http://me:SECRET%zz@nas/', isOdd],
  ['rest:http://me:SECRET x@nas/', isOdd],
  ['rest:http://me:SECRET[x@nas/', isOdd],
  ['rest:http://me:SECRETä@nas/', isOdd],
  ['s3:http://me:SECRET\\x@nas/', isOdd],
  [' /mnt/disk', isElse],
  ['/mnt/disk ', isElse],
  ['rest:http://me:SECRET@nas/ ', isElse],
  ['rest:http://me:SECRET@nas/\nx', isElse],
  ['backups', isElse],
  ['', isElse],
];
for (const [address, problem] of addresses) {
  test(`the place of backups ${JSON.stringify(address)} is ${problem === null ? 'taken' : 'refused'}`, () => {
    if (problem === null) {
      assert.equal(repositoryAddress(address), address);
      return;
    }
    const isExpected = ({ message }: Error) => problem.test(message) && !message.includes('SECRET');
    assert.throws(() => repositoryAddress(address), isExpected);
  });
}

test('choice/box/331: an address to listen on is a host and a port', () => {
  assert.deepEqual(listenAddress('127.0.0.1:9100'), { host: '127.0.0.1', port: 9100 });
  assert.deepEqual(listenAddress('[::1]:9100'), { host: '::1', port: 9100 });
  assert.deepEqual(listenAddress('attic.lan:65535'), { host: 'attic.lan', port: 65535 });
  for (const text of ['9100', ':9100', '::1:9100', '[::1]', 'a:65536', 'a:b', 'a:-1', '[x]:1', 'a b:1', '']) {
    assert.throws(() => listenAddress(text), /^Error: expected HOST:PORT, /, text);
  }
});
