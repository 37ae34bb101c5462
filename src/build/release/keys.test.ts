import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../lib/testing/temporary-folder.ts';
import { publicKeyOf, readPrivateKey, readPublicKey } from './keys.ts';

const folder = temporaryFolder();

function fileOf(content: string): string {
  const file = join(folder, 'key.pem');
  writeFileSync(file, content);
  return file;
}

test('reads a private key and makes its public half in the form of the box', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  assert.equal(publicKeyOf(readPrivateKey(fileOf(privateKey))), publicKey);
  assert.equal(readPublicKey(fileOf(publicKey)), publicKey);
  assert.throws(
    () => readPrivateKey(fileOf(publicKey)),
    /key\.pem cannot be read \(.*\), expected a private key in PEM/,
  );
});

test('names the file of an invalid key, without its content', () => {
  assert.throws(() => readPrivateKey(join(folder, 'none')), /^ReleaseFailed: there is no key file .*none$/);
  assert.throws(() => readPrivateKey(folder), /cannot be read \(EISDIR\), expected a private key/);
  assert.throws(
    () => readPrivateKey(fileOf('-----BEGIN PRIVATE KEY-----\nsecret\n-----END PRIVATE KEY-----')),
    ({ message }: Error) => message.includes('expected a private key') && !message.includes('secret'),
  );
});

test('refuses a key of another kind', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  assert.throws(() => readPrivateKey(fileOf(pem)), /is a key of ec, expected one of ed25519$/);
});
