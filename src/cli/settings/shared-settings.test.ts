import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repositoryAddress } from './parsers.ts';

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
