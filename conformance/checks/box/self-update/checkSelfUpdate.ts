import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, record, refused, status } from '../../../kernel/expect.ts';
import type { BoxContext } from '../context.ts';

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
      box.environment.feed.publish(/[1-9]/.test(String(current)) ? '0.0.0' : '0.0.0-0');
      equal('update_available', record(await box.post('/api/self/update/check')).update_available, false);
    },
  ),
  check(
    'box/checkSelfUpdate/by-numbers',
    ['should/box/633'],
    'compares versions as numbers, also with more digits',
    async (box) => {
      const { current } = record(await box.post('/api/self/update/check'));
      const numbers = /^\d+(?:\.\d+)+/.exec(String(current))?.[0].split('.') ?? [];
      ensure('its version begins with numbers, as that of a release does', numbers.length > 0, current);
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
];
