import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../lib/testing/temporary-folder.ts';
import { givenSecret } from './secret.ts';
import { problemOf } from './testing/problem-of.ts';

const inFile = (text: string): string => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'secret'), text);
  return join(folder, 'secret');
};

test('choice/gateway/105: takes a secret from its variable, or from a file without the last line break', () => {
  assert.equal(givenSecret('X', { X: ' a b ' }), ' a b ');
  assert.equal(givenSecret('X', { X_FILE: inFile('a b\r\n') }), 'a b');
  for (const env of [{}, { X: '' }, { X_FILE: '' }, { X: '', X_FILE: '' }])
    assert.equal(givenSecret('X', env), undefined);
});

const besideSecret = [
  ['secret\n\n', 'more than one line end after the secret'],
  ['secret\r\n\r\n', 'more than one line end after the secret'],
  ['secret\r', 'more than one line end after the secret'],
  ['\n\n', 'more than one line end after the secret'],
  ['secret\nanother', 'more than one line'],
  ['\nsecret\n', 'more than one line'],
  [' secret\n', 'a blank before the secret'],
  ['\u00a0secret', 'a blank before the secret'],
  ['secret \n', 'a blank after the secret'],
  ['secret\t\r\n', 'a blank after the secret'],
  ['secret\u3000', 'a blank after the secret'],
  ['\ufeffsecret\n', 'a byte-order mark before the secret'],
  ['secret\u200b\n', 'an invisible character in the secret'],
  ['sec\u001b[0mret', 'an invisible character in the secret'],
] as const;

test('choice/gateway/105: a file without a secret is a wrong setting that names variable, file and fault', () => {
  const folder = dirname(inFile(''));
  const at = (name: string) => join(folder, name);
  const made = (name: string, content: string | Buffer = '') => {
    writeFileSync(at(name), content);
    return at(name);
  };
  execFileSync('mkfifo', [at('fifo')]);
  symlinkSync('loop', at('loop'));
  symlinkSync('/nowhere', at('dangling'));
  truncateSync(made('sparse'), 3 * 1024 ** 3);
  const faults: [string, string][] = [
    ['/nowhere/at all', 'there is no file /nowhere/at all'],
    [at('dangling'), `there is no file ${at('dangling')}`],
    [folder, `${folder} is not a regular file`],
    [at('fifo'), `${at('fifo')} is not a regular file`],
    [at('loop'), `${at('loop')} is not a regular file`],
    ['/dev/zero', '/dev/zero is not a regular file'],
    [at('sparse'), `${at('sparse')} is larger than 64 KiB`],
    [made('empty'), `${at('empty')} is empty`],
    [made('line', '\r\n'), `${at('line')} is empty`],
    [made('nul', 'a\0b'), `${at('nul')} has a NUL byte`],
    ...besideSecret.map(([text, what], number): [string, string] => {
      const file = made(`beside-${number}`, text);
      return [file, `${file} has ${what}: write the secret alone into it, on one line`];
    }),
    [made('bytes', Buffer.from([0xff, 0xfe])), `${at('bytes')} is not UTF-8 text`],
  ];
  for (const [file, problem] of faults) {
    assert.equal(
      problemOf(() => givenSecret('X', { X_FILE: file })),
      `X_FILE: ${problem}`,
    );
  }
  symlinkSync(made('whole', 'a secret\n'), at('link'));
  assert.equal(givenSecret('X', { X_FILE: at('link') }), 'a secret');
});

test('of two places neither wins: that is a mistake to be told', () => {
  assert.throws(() => givenSecret('X', { X: 'secret', X_FILE: '/f' }), {
    message: 'X and X_FILE are both set; set only one of them',
  });
});

const skip = process.getuid?.() !== 0 && 'only root can take the rights of another user';
test('a secret that the user of the service may not read is told with what to do', { skip }, () => {
  const file = join(temporaryFolder(), 'store-url');
  writeFileSync(file, 'postgres://x', { mode: 0o600 });
  chmodSync(join(file, '..'), 0o755);
  process.seteuid?.(65_534);
  try {
    assert.throws(() => givenSecret('GATEWAY_STORE', { GATEWAY_STORE_FILE: file }), {
      message: `GATEWAY_STORE_FILE: the user nobody may not read ${file}: chgrp 65534 ${file} && chmod 640 ${file}`,
    });
  } finally {
    process.seteuid?.(0);
  }
});
