import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressesOf, type RegistryImage, registryImage, tokenAddress } from './image-reference.ts';

const references: [reference: string, asked: string | null][] = [
  ['redis', 'registry-1.docker.io library/redis latest'],
  ['redis:7', 'registry-1.docker.io library/redis 7'],
  ['docker.io/redis:7', 'registry-1.docker.io library/redis 7'],
  ['docker.io/library/redis:7', 'registry-1.docker.io library/redis 7'],
  ['vaultwarden/server:1.32.0', 'registry-1.docker.io vaultwarden/server 1.32.0'],
  ['ghcr.io/usememos/memos:0.24', 'ghcr.io usememos/memos 0.24'],
  ['lscr.io/linuxserver/jellyfin', 'lscr.io linuxserver/jellyfin latest'],
  ['127.0.0.1:5000/web:1', '127.0.0.1:5000 web 1'],
  ['localhost/a/b/c:x', 'localhost a/b/c x'],
  ['nas:5000/web', 'nas:5000 web latest'],
  ['redis@sha256:0123', null],
  ['redis:7@sha256:0123', null],
  ['sha256:0123/../x', null],
  ['Redis', null],
  ['redis:', null],
  ['', null],
  ['a b', null],
  [`r${'e'.repeat(500)}`, null],
];
for (const [reference, asked] of references) {
  test(`the image ${JSON.stringify(reference.slice(0, 40))} is ${asked === null ? 'not asked for' : `that of ${asked}`}`, () => {
    const image = registryImage(reference);
    assert.equal(image === null ? null : `${image.host} ${image.repository} ${image.tag}`, asked);
  });
}

const none = { mirrors: [], insecure: [] };
const asked: [reference: string, engine: { mirrors: string[]; insecure: string[] }, addresses: string[]][] = [
  ['redis', none, ['https://registry-1.docker.io']],
  ['redis', { ...none, mirrors: ['https://mirror/'] }, ['https://mirror', 'https://registry-1.docker.io']],
  ['ghcr.io/a/b', { ...none, mirrors: ['https://mirror'] }, ['https://ghcr.io']],
  ['nas:5000/web', none, ['https://nas:5000']],
  ['nas:5000/web', { ...none, insecure: ['nas:5000'] }, ['http://nas:5000']],
  ['127.0.0.1:5000/web', none, ['http://127.0.0.1:5000']],
  ['localhost:5000/web', none, ['http://localhost:5000']],
];
for (const [reference, engine, addresses] of asked) {
  test(`${reference} is asked for at ${addresses.join(', ')}`, () => {
    assert.deepEqual(addressesOf(registryImage(reference) as RegistryImage, engine), addresses);
  });
}

const challenges: [challenge: string, address: string | null, reference?: string][] = [
  [
    'Bearer realm="https://auth.docker.io/token",service="registry.docker.io",scope="repository:library/redis:pull"',
    'https://auth.docker.io/token?service=registry.docker.io&scope=repository%3Alibrary%2Fredis%3Apull',
  ],
  ['Bearer realm="https://ghcr.io/token"', 'https://ghcr.io/token?scope=repository%3Alibrary%2Fredis%3Apull'],
  ['Bearer realm="http://127.0.0.1:5001/t"', null],
  ['Bearer realm="https://localhost/t"', null],
  ['Bearer realm="https://[::1]/t"', null],
  [
    'Bearer realm="http://127.0.0.1:5001/t"',
    'http://127.0.0.1:5001/t?scope=repository%3Aweb%3Apull',
    'localhost:5000/web',
  ],
  ['Bearer realm="http://elsewhere/token"', null],
  ['Bearer realm="no address"', null],
  ['Bearer service="x"', null],
  ['Basic realm="https://nas/"', null],
  ['', null],
];
for (const [challenge, address, reference = 'redis'] of challenges) {
  test(`a token of ${reference} for ${JSON.stringify(challenge.slice(0, 40))} is at ${address}`, () => {
    const found = tokenAddress(challenge, registryImage(reference) as RegistryImage);
    assert.equal(found === null ? null : found.href, address);
  });
}
