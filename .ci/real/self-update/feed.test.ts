import { generateKeyPairSync } from 'node:crypto';
import { after, before, test } from 'node:test';
import { sample } from '../support/random.ts';
import { day, type Twist } from './archive.ts';
import { fails, feed, release, reset, startBox, updatesWell } from './box.ts';

before(() => startBox());
after(async () => {
  await reset();
  await feed.close();
});

/** Missing and malformed feeds. */
const answers: [string, RegExp, (typeof feed)['feed']][] = [
  ['is not found', /answers with status 404/, (response) => response.writeHead(404).end('gone')],
  ['fails', /answers with status 503/, (response) => response.writeHead(503).end('{}')],
  [
    'ends early',
    /cannot be read/,
    (response) => {
      response.setHeader('content-length', 1000);
      response.write('{');
      setTimeout(() => response.destroy(), 50);
    },
  ],
  [
    'never ends',
    /more than 1048576 bytes/,
    (response) => {
      const more = () => {
        while (response.write(' '.repeat(65_536)));
        response.once('drain', more);
      };
      more();
    },
  ],
  [
    'comes byte by byte',
    /not complete after 10 seconds/,
    (response) => {
      const timer = setInterval(() => response.write(' '), 500);
      response.on('close', () => clearInterval(timer));
    },
  ],
  [
    'leads elsewhere',
    /leads to|cannot be read/,
    (response) => response.writeHead(302, { location: 'http://192.0.2.1/release.json' }).end(),
  ],
  ['is a page', /JSON/, (response) => response.end('<html>Sign in to this network</html>')],
  ['is empty', /JSON/, (response) => response.end()],
  ['is null', /feed/, (response) => response.end('null')],
  ['has no version', /version/, (response) => response.end('{"archives":{}}')],
  ['has a version that is a path', /version/, (response) => response.end('{"version":"../../../etc","archives":{}}')],
  ['is nested deeply', /feed/, (response) => response.end('['.repeat(500_000))],
];

for (const [name, reason, answer] of sample(answers, 3)) {
  test(`the feed ${name}`, async () => {
    feed.feed = answer;
    await fails({ reason });
  });
}

test('the feed is gone', async () => {
  await feed.close();
  try {
    await fails({ reason: /release feed .* cannot be read/ });
  } finally {
    await feed.open();
  }
});

const foreign = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const at = (time: number) => new Date(time).toISOString();

/** Releases with a wrong announcement. */
const twists: [string, RegExp, Twist][] = [
  ['expired yesterday', /expired on .*clock/, { statement: { expires: at(Date.now() - day) } }],
  [
    'expired 20 years ago',
    /expired on .*clock/,
    { statement: { issued: '2006-01-01T00:00:00Z', expires: '2006-07-01T00:00:00Z' } },
  ],
  ['is of tomorrow but one', /clock is wrong/, { statement: { issued: at(Date.now() + 2 * day) } }],
  [
    'is of in ten years',
    /clock is wrong/,
    { statement: { issued: at(Date.now() + 3653 * day), expires: at(Date.now() + 3800 * day) } },
  ],
  ['has no dates', /statement/, { statement: { issued: undefined, expires: undefined } }],
  ['has a date that is none', /statement/, { statement: { expires: 'never' } }],
  ['is of another product', /product "doorgate" instead/, { statement: { product: 'doorgate' } }],
  ['is of another platform', /platform "linux-riscv64" instead/, { statement: { platform: 'linux-riscv64' } }],
  ['is of another version', /differ in version|version/, { statement: { version: '91.0.0' } }],
  ['is another statement', /type|statement/, { statement: { type: 'key' } }],
  ['has another digest', /differ in/, { entry: (entry) => ({ ...entry, sha256: '0'.repeat(64) }) }],
  ['has another size', /differ in/, { entry: (entry) => ({ ...entry, size: 1 }) }],
  ['is signed with another key', /is not signed by the key/, { key: foreign }],
  ['is not signed', /sign/, { entry: ({ signature: _, ...entry }) => entry }],
  ['has a signature that is none', /sign/, { entry: (entry) => ({ ...entry, signature: 'AA==' }) }],
  [
    'has the signature of another statement',
    /is not signed by the key/,
    {
      entry: (entry) => ({ ...entry, statement: String(entry.statement).replace('"size":', '"size": ') }),
    },
  ],
  ['has no statement', /statement/, { entry: ({ statement: _, ...entry }) => entry }],
  ['has a statement that is no JSON', /sign|statement/, { entry: (entry) => ({ ...entry, statement: 'boxgate' }) }],
  [
    'is at an address elsewhere',
    /names an archive at/,
    {
      entry: (entry) => ({ ...entry, url: 'http://192.0.2.1/archive.tar.gz' }),
    },
  ],
];

for (const [name, reason, twist] of sample(twists, 4)) {
  test(`a release that ${name}`, async () => {
    feed.announce(release(twist));
    await fails({ reason });
  });
}

test('a release for other platforms', async () => {
  const made = release();
  feed.announce({ ...made, feed: { ...made.feed, archives: {} } });
  await fails({ reason: /statement|platform/ });
});

test('a key that another key has signed', async () => {
  const made = release({ key: foreign });
  const changes = [{ statement: '{"type":"key","product":"boxgate"}', signature: 'AA==' }];
  feed.announce({ ...made, feed: { ...made.feed, key_changes: changes } });
  await fails({ reason: /is not signed by the key/ });
});

test('after all that a good update works', updatesWell);
