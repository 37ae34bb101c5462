import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { unprovenReleases } from '../../../../fakes/release-faults.ts';
import { type Check, check, NotApplicable } from '../../../kernel/check.ts';
import { ensure, equal, matches, record, refused, status } from '../../../kernel/expect.ts';
import type { BoxContext } from '../context.ts';

/** The same JSON with exactly 1 MiB, and with one byte more. */
const largest = (text: string) => text.padEnd(1024 * 1024);
const tooLarge = (text: string) => `${largest(text)} `;

/** A response of the web server that serves the feed. */
type Given = { status: number; text: string; location?: string };

export const checks: Check<BoxContext>[] = [
  check(
    'box/checkSelfUpdate/newer',
    [
      'box/checkSelfUpdate/1',
      'box/checkSelfUpdate/3',
      'box/checkSelfUpdate/4',
      'box/versioning/3',
      'box/service/26',
      'box/process/9',
    ],
    'shows the running version and the newer one of the feed',
    async (box) => {
      box.environment.feed.publish('987.65.4');
      const answer = await box.post('/api/self/update/check');
      status(answer, 200);
      const { current, latest, update_available: available } = record(answer);
      ensure('current is a text', typeof current === 'string' && current !== '', current);
      equal('latest and update_available', [latest, available], ['987.65.4', true]);
    },
  ),
  check(
    'box/checkSelfUpdate/same',
    ['box/checkSelfUpdate/1', 'box/checkSelfUpdate/4'],
    'offers nothing if the feed has the running version',
    async (box) => {
      const { current } = record(await box.post('/api/self/update/check', {}));
      box.environment.feed.publish(String(current));
      const { latest, update_available: available } = record(await box.post('/api/self/update/check', {}));
      equal('latest and update_available', [latest, available], [current, false]);
    },
  ),
  check(
    'box/checkSelfUpdate/older',
    ['box/checkSelfUpdate/4', 'box/service/26'],
    'offers nothing if the feed has an older version',
    async (box) => {
      const { current } = record(await box.post('/api/self/update/check'));
      if (!/[1-9]/.test(String(current))) throw new NotApplicable('no version is older than its own');
      box.environment.feed.publish('0.0.0');
      equal('update_available', record(await box.post('/api/self/update/check')).update_available, false);
    },
  ),
  check(
    'box/checkSelfUpdate/by-numbers',
    ['box/checkSelfUpdate/4', 'box/service/26'],
    'compares versions as numbers, also with more digits',
    async (box) => {
      const { current } = record(await box.post('/api/self/update/check'));
      const numbers = /^(\d+)\.(\d+)\.(\d+)/.exec(String(current))?.slice(1);
      if (numbers === undefined) throw new NotApplicable('its version is not of three numbers');
      // Adds a digit, so that the newer version sorts before the current one as a text, if possible.
      const place = Math.max(
        numbers.findIndex((number) => number > '2'),
        0,
      );
      const higher = numbers
        .map((number, at) => (at < place ? number : at > place ? '0' : `1${'0'.repeat(number.length)}`))
        .join('.');
      box.environment.feed.publish(higher);
      const { latest, update_available: available } = record(await box.post('/api/self/update/check'));
      equal('latest and update_available', [latest, available], [higher, true]);
    },
  ),
  check('box/checkSelfUpdate/body-ignored', ['box/checkSelfUpdate/2'], 'ignores the body', async (box) => {
    for (const body of [undefined, '', {}, { name: 7, version: '1' }]) {
      status(await box.post('/api/self/update/check', body), 200);
    }
  }),
  check(
    'box/checkSelfUpdate/fails',
    ['box/checkSelfUpdate/5', 'box/errors/10'],
    'answers 502 if the feed is unreadable or invalid, also after a valid one',
    async (box) => {
      status(await box.post('/api/self/update/check'), 200);
      for (const text of ['', 'no JSON', '{}']) {
        box.environment.feed.publishText(text);
        refused(await box.post('/api/self/update/check'), 502);
      }
      rmSync(fileURLToPath(box.environment.feed.url));
      refused(await box.post('/api/self/update/check'), 502);
    },
  ),
  check(
    'box/checkSelfUpdate/semantic-versions',
    ['choice/box/140', 'choice/box/141'],
    'compares as semantic versions do and never offers a downgrade',
    async (box) => {
      const first = await box.post('/api/self/update/check');
      const { current } = record(first);
      matches('Server', first.headers.server, /^boxgate\/./);
      equal('current is the version in Server', current, first.headers.server?.slice('boxgate/'.length));
      const [major = '0', minor = '0', patch = '0'] = String(current).split('.');
      const newer = [`${major}.${minor}.${Number.parseInt(patch, 10) + 10}`, `${major}.${Number(minor) + 10}.0`];
      const older = ['0.0.0-rc.1', `${current}-rc.1`];
      for (const version of [...newer, ...older]) {
        box.environment.feed.publish(version);
        const answer = record(await box.post('/api/self/update/check'));
        equal(`update_available for ${version}`, answer.update_available, newer.includes(version));
      }
    },
  ),
  check(
    'box/checkSelfUpdate/no-feed',
    ['choice/box/138'],
    'answers 502 and says so if no feed is configured',
    async (box) => {
      await box.start({ env: { BOX_RELEASE_FEED: undefined } });
      const answer = await box.post('/api/self/update/check');
      refused(answer, 502);
      matches('error', record(answer).error, /feed/i);
    },
  ),
  check(
    'box/checkSelfUpdate/archives',
    ['choice/box/137', 'choice/box/178'],
    'accepts a feed with complete archives or without any, and refuses others and too large ones',
    async (box) => {
      const archive = { url: 'https://x.example/a', sha256: 'a', signature: 'b' };
      const feed = (archives: unknown) => JSON.stringify({ version: '987.0.1', archives });
      for (const good of [undefined, null, {}, { 'linux-x64': archive, 'linux-arm64': archive }]) {
        box.environment.feed.publishText(good === undefined ? largest(feed(good)) : feed(good));
        status(await box.post('/api/self/update/check'), 200);
      }
      const parts = Object.keys(archive).map((part) => ({ ...archive, [part]: undefined }));
      for (const bad of [...parts, null, 7, 'https://x.example/a', { ...archive, url: 7 }]) {
        box.environment.feed.publishText(feed({ 'linux-arm64': archive, 'linux-x64': bad }));
        refused(await box.post('/api/self/update/check'), 502);
      }
      box.environment.feed.publishText(feed([archive]));
      refused(await box.post('/api/self/update/check'), 502);
      for (const other of [
        [],
        { version: 7, archives: {} },
        { version: '', archives: {} },
        { version: 'soon', archives: {} },
      ]) {
        box.environment.feed.publishText(JSON.stringify(other));
        refused(await box.post('/api/self/update/check'), 502);
      }
      box.environment.feed.publishText(tooLarge(feed({})));
      refused(await box.post('/api/self/update/check'), 502);
    },
  ),
  check(
    'box/checkSelfUpdate/statements',
    ['choice/box/139', 'choice/box/355', 'choice/box/356', 'choice/box/357', 'choice/box/358'],
    'announces a release that its publisher signed, or any in a local feed, and answers 502 to others',
    async (box) => {
      for (const [release, faults] of [['that is good', {}] as const, ...unprovenReleases]) {
        box.environment.feed.publish('987.0.0', faults);
        const answer = await box.post('/api/self/update/check');
        const isGood = ['that is good', 'without a statement'].includes(release);
        equal(`status for a release ${release}`, answer.status, isGood ? 200 : 502);
        if (!isGood) refused(answer, 502);
      }
    },
  ),
  check(
    'box/checkSelfUpdate/next-key',
    ['choice/box/359'],
    'trusts a key that each earlier key has announced, and no other',
    async (box) => {
      const { feed } = box.environment;
      for (const announcedBy of ['the present key', 'the present key', 'a stranger'] as const) {
        feed.changeKey(announcedBy);
        feed.publish('987.0.0');
        const { status } = await box.post('/api/self/update/check');
        equal(`status after a key of ${announcedBy}`, status, announcedBy === 'a stranger' ? 502 : 200);
      }
    },
  ),
  check(
    'box/checkSelfUpdate/feed-addresses',
    ['choice/box/137', 'choice/box/178'],
    'reads the feed from loopback HTTP and from HTTPS, but from no other HTTP address, even after a redirect',
    async (box) => {
      const text = JSON.stringify({ version: '987.0.1', archives: {} });
      let given: Given = { status: 200, text };
      const server = createServer((request, response) => {
        const { status, location, text } = request.url === '/feed.json' ? given : { ...given, status: 200 };
        response.writeHead(status, location === undefined ? {} : { Location: location }).end(text);
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as { port: number };
      try {
        await box.start({ env: { BOX_RELEASE_FEED: `http://127.0.0.1:${port}/feed.json` } });
        const good: Given[] = [
          given,
          { status: 302, location: '/moved.json', text },
          { status: 200, text: largest(text) },
        ];
        for (given of good) equal('latest', record(await box.post('/api/self/update/check')).latest, '987.0.1');
        const bad: Given[] = [
          { status: 404, text },
          { status: 500, text },
          { status: 302, location: `http://0.0.0.0:${port}/moved.json`, text },
          { status: 200, text: tooLarge(text) },
          { status: 204, text: '' },
        ];
        for (given of bad) refused(await box.post('/api/self/update/check'), 502);
        await box.stop();
        // An unreachable feed does not prevent a start.
        await box.start({ env: { BOX_RELEASE_FEED: 'https://127.0.0.1:9/feed.json' } });
        refused(await box.post('/api/self/update/check'), 502);
        await box.stop();
        const refusedAtStart = await box
          .start({ env: { BOX_RELEASE_FEED: 'http://feed.example/feed.json' }, readyTimeoutMs: 5000 })
          .then(
            () => false,
            () => true,
          );
        if (!refusedAtStart) refused(await box.post('/api/self/update/check'), 502);
      } finally {
        server.close();
      }
    },
  ),
];
