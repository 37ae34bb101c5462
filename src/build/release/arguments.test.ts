import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTask } from './arguments.ts';

const common = { key: 'k.pem', nextKey: undefined, expires: undefined };

test('builds for both platforms into dist-release unless told otherwise', () => {
  assert.deepEqual(parseTask(['--key', 'k.pem']), {
    kind: 'build',
    ...common,
    previous: undefined,
    changelog: undefined,
    platforms: ['linux-arm64', 'linux-x64'],
    out: 'dist-release',
  });
});

test('takes every option', () => {
  const words = '--key k.pem --next-key n.pem --previous old.json --changelog https://boxgate.example/changes';
  const others = '--platform linux-x64 --platform linux-x64 --out o --expires 2027-05-19';
  assert.deepEqual(parseTask(`${words} ${others}`.split(' ')), {
    kind: 'build',
    key: 'k.pem',
    nextKey: 'n.pem',
    expires: new Date('2027-05-19T00:00:00Z'),
    previous: 'old.json',
    changelog: 'https://boxgate.example/changes',
    platforms: ['linux-x64'],
    out: 'o',
  });
});

test('builds archives again with a public key', () => {
  assert.deepEqual(parseTask(['--public-key', 'p.pem', '--platform', 'linux-arm64', '--out', 'o']), {
    kind: 'rebuild',
    publicKey: 'p.pem',
    platforms: ['linux-arm64'],
    out: 'o',
  });
});

test('renews a feed', () => {
  const words = 'renew --feed release.json --key k.pem --expires 2027-05-19T10:00:00Z';
  assert.deepEqual(parseTask(words.split(' ')), {
    kind: 'renew',
    ...common,
    feed: 'release.json',
    expires: new Date('2027-05-19T10:00:00Z'),
  });
});

test('asks for help without a key', () => {
  assert.deepEqual(parseTask(['--help']), { kind: 'help' });
  assert.deepEqual(parseTask(['renew', '--help']), { kind: 'help' });
});

const refused: [words: string, message: RegExp][] = [
  ['', /^--key FILE is missing/],
  ['--key=', /^--key FILE is missing/],
  ['renew --key k.pem', /^--feed FILE is missing/],
  ['renew --feed f --key k.pem --out o', /'--out'/],
  ['--public-key p.pem --key k.pem', /^--public-key signs nothing, so --key has no meaning/],
  ['--public-key p.pem --changelog https://boxgate.example/', /so --changelog has no meaning/],
  ['--key k.pem --colour red', /'--colour'/],
  ['--key k.pem more', /'more'/],
  ['--key k.pem --platform linux-riscv64', /^--platform linux-riscv64: expected linux-arm64 or linux-x64$/],
  ['--key k.pem --changelog http://boxgate.example/', /^--changelog http:.*https address of ASCII/],
  ['--key k.pem --changelog https://boxgate.example/ä', /^--changelog https:.*https address of ASCII/],
  ['--key k.pem --expires tomorrow', /^--expires tomorrow: expected a date/],
  ['--key k.pem --expires 2027-02-31', /^--expires 2027-02-31: expected a date/],
  ['--key k.pem --expires 2027-05-19T10:00:00+02:00', /expected a date/],
];
for (const [words, message] of refused) {
  test(`refuses "${words}"`, () => {
    assert.throws(() => parseTask(words === '' ? [] : words.split(' ')), { message });
  });
}
