import { generateKeyPairSync } from 'node:crypto';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { sample } from '../support/random.ts';
import type { Entry, Release, Twist } from './archive.ts';
import { fails, feed, release, reset, startBox, updatesWell } from './box.ts';
import type { Script } from './versions.ts';

before(() => startBox());
after(async () => {
  await reset();
  await feed.close();
});

/** Archives whose bytes differ from the signed archive. */
const deliveries: [string, RegExp, (made: Release) => (typeof feed)['archive']][] = [
  ['is not found', /answers with status 404/, () => (response) => response.writeHead(404).end()],
  [
    'is cut off',
    /cut off|cannot be read/,
    ({ archive }) =>
      (response) => {
        response.setHeader('content-length', archive.length);
        response.write(archive.subarray(0, 300));
        setTimeout(() => response.destroy(), 50);
      },
  ],
  [
    'is too short',
    /cut off/,
    ({ archive }) =>
      (response) =>
        response.end(archive.subarray(0, -1)),
  ],
  [
    'is too long',
    /longer than the/,
    ({ archive }) =>
      (response) =>
        response.end(Buffer.concat([archive, Buffer.alloc(1)])),
  ],
  [
    'never ends',
    /longer than the/,
    ({ archive }) =>
      (response) => {
        const more = () => {
          while (response.write(archive));
          response.once('drain', more);
        };
        more();
      },
  ],
  [
    'has one other byte',
    /SHA-256 differs/,
    ({ archive }) =>
      (response) => {
        const other = Buffer.from(archive);
        other[300] = (other[300] ?? 0) ^ 1;
        response.end(other);
      },
  ],
  [
    'is at another address that is not HTTPS',
    /leads to|cannot be read/,
    () => (response) => response.writeHead(302, { location: 'http://192.0.2.1/archive.tar.gz' }).end(),
  ],
];

for (const [name, reason, deliver] of sample(deliveries, 3)) {
  test(`an archive that ${name}`, async () => {
    const made = release();
    feed.announce(made);
    feed.archive = deliver(made);
    await fails({ reason });
  });
}

test('an archive of another version that was signed as well', async () => {
  const made = release();
  const other = release();
  feed.announce(made);
  feed.archive = (response) => response.end(other.archive);
  await fails({ reason: /SHA-256 differs|longer than|cut off/ });
});

const add = (...more: Entry[]): Twist => ({ entries: (known) => [...known, ...more] });
/** Adds an entry below the archive's top folder. */
const addInside = (entry: Entry): Twist => ({
  entries: (known, top) => [...known, { ...entry, name: `${top}/${entry.name}` }],
});
const without = (name: string): Twist => ({
  entries: (known) => known.filter((entry) => !entry.name.endsWith(name)),
});
const manifest = (text: string): Twist => ({
  entries: (known) =>
    known.map((entry) => (entry.name.endsWith('/package.json') ? { ...entry, content: text } : entry)),
});
/** An archive of these bytes, with a valid signature. */
const packed = (bytes: Buffer): Twist => ({ packed: bytes });
const terabytes = 4 * 1024 ** 4;
const random = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' });

/** Validly signed archives that must not be installed. */
const contents: [string, RegExp, Twist, Script?][] = [
  ['climbs out', /in the archive/, addInside({ name: '../../../../etc/climbed', content: 'x' })],
  ['climbs out at once', /in the archive/, add({ name: '../climbed', content: 'x' })],
  ['has an absolute path', /in the archive/, add({ name: '/etc/climbed', content: 'x' })],
  ['has a second top folder', /in the archive/, add({ name: 'other/file', content: 'x' })],
  ['has a link', /in the archive/, addInside({ name: 'link', type: 'link', target: '/etc' })],
  [
    'has a link as a folder of others',
    /in the archive/,
    {
      entries: (known, top) => [
        ...known,
        { name: `${top}/link`, type: 'link', target: '/etc' },
        { name: `${top}/link/climbed`, content: 'x' },
      ],
    },
  ],
  ['has a hard link', /in the archive/, addInside({ name: 'link', type: 'hard link', target: '/etc/passwd' })],
  ['has a device', /in the archive/, addInside({ name: 'device', type: 'device' })],
  ['has a pipe', /in the archive/, addInside({ name: 'pipe', type: 'pipe' })],
  [
    'holds more than was signed',
    /signed/,
    { ...addInside({ name: 'large', content: Buffer.alloc(1024 * 1024) }), statement: { unpacked_size: 10_000 } },
  ],
  ['is larger than any release', /no usable field unpacked_size/, { statement: { unpacked_size: terabytes } }],
  ['is no gzip', /cannot be unpacked/, packed(random)],
  ['is no tar', /cannot be unpacked|archive/, packed(gzipSync(Buffer.alloc(4096, 'x')))],
  ['is empty', /archive/, packed(gzipSync(Buffer.alloc(1024)))],
  ['is cut off inside', /cannot be unpacked/, packed(gzipSync(random).subarray(0, -6))],
  ['is another version', /holds something else/, manifest('{"name":"boxgate","version":"1.2.3"}')],
  ['is another program', /holds something else/, manifest('{"name":"doorgate","version":"90.1.1"}')],
  ['has a package.json that is no JSON', /holds something else|package\.json/, manifest('boxgate')],
  ['has no package.json', /package\.json|holds something else/, without('/package.json')],
  ['has no program', /does not run|holds something else|bin\/boxgate/, without('/bin/boxgate')],
  ['has a program that does not run', /does not run on this machine/, {}, { help: 'exit 1' }],
  ['has a program for another machine', /does not run on this machine/, {}, { help: 'exec "$here/server.cjs"' }],
];

for (const [name, reason, twist, script] of sample(contents, 5)) {
  test(`an archive that ${name}`, async () => {
    feed.announce(release(twist, script));
    await fails({ reason });
  });
}

test('after all that a good update works', updatesWell);
