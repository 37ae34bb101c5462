import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryFolder } from '../../lib/testing/temporary-folder.ts';
import { makePublisher } from '../testing/publisher.ts';
import { makeKeys } from './keys.ts';

const publisher = makePublisher();
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const rsa = String(publicKey.export({ type: 'spki', format: 'pem' }));

const folder = temporaryFolder();

async function keysOf(text: string) {
  const path = join(folder, 'key.pem');
  await writeFile(path, text);
  return makeKeys(path, 'box');
}

describe('choice/box/139: the key that is trusted', () => {
  test('is the text of its file', async () => {
    assert.equal(await (await keysOf(publisher.key)).trusted(), publisher.key);
  });

  const secret = String(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const broken = {
    'an empty file': '',
    'no key': 'a key\n',
    'an RSA key': rsa,
    'a private key': secret,
    'a broken key': publisher.key.replace('MCow', 'MCox'),
  };
  for (const [title, text] of Object.entries(broken)) {
    test(`is not ${title}`, async () => {
      const keys = await keysOf(text);
      const message = /key\.pem is not .*BOX_RELEASE_KEY/;
      await assert.rejects(keys.trusted(), { message });
    });
  }

  test('is not read beyond 4 KiB', async () => {
    const keys = await keysOf(publisher.key.padStart(5000));
    await assert.rejects(keys.trusted(), { message: /is not an Ed25519 public key/ });
  });

  test('is named when it is missing or no file', async () => {
    for (const [path, message] of [
      [join(folder, 'none.pem'), /none\.pem, cannot be read: there is no such file/],
      [folder, /not a regular file/],
    ] as const) {
      await assert.rejects(makeKeys(path, 'box').trusted(), { message });
    }
  });
});

describe('a signature', () => {
  const keys = makeKeys('/nowhere', 'box');
  const text = 'Grüße, {"a":1}';

  test('is good for its text and key', () => {
    assert.equal(keys.isSigned(publisher.key, text, publisher.sign(text)), true);
  });

  const good = publisher.sign(text);
  const bad: Record<string, [key: string, text: string, signature: string]> = {
    'another text': [publisher.key, `${text} `, good],
    'another key': [makePublisher().key, text, good],
    'no key': ['', text, good],
    'a key of another kind': [rsa, text, sign(null, Buffer.from(text), privateKey).toString('base64')],
    'a shorter signature': [publisher.key, text, good.slice(0, 40)],
    'a longer signature': [
      publisher.key,
      text,
      Buffer.concat([Buffer.from(good, 'base64'), Buffer.alloc(1)]).toString('base64'),
    ],
    'no signature': [publisher.key, text, ''],
    'no Base64': [publisher.key, text, '€'.repeat(88)],
  };
  for (const [title, [key, signed, signature]] of Object.entries(bad)) {
    test(`is bad for ${title}`, () => assert.equal(keys.isSigned(key, signed, signature), false));
  }
});
