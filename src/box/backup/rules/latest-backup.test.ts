import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { backupWarnings, latestBackups, latestOfBox, whyNoLatest } from './latest-backup.ts';

const now = new Date('2026-11-26T04:00:00Z');

/** A backup of memos that was made on a day of November. */
function made(shortId: string, day: number, reason = 'schedule', more: { year?: number; host?: string } = {}) {
  const { year = 2026, host = 'attic' } = more;
  const time = new Date(Date.UTC(year, 10, day, 3));
  const tags = ['app=memos', `reason=${reason}`];
  return { id: shortId, shortId, time, tags, paths: [], original: null, host, isOwn: host === 'attic' };
}

const latest = (...all: ReturnType<typeof made>[]) => latestBackups(all, now).get('memos')?.snapshot.shortId;

test('what a restore replaced, the future and other machines do not count as the latest backup', () => {
  const good = made('good', 20);
  equal(latest(good, made('later', 21, 'update')), 'later');
  equal(latest(good, made('spoiled', 21, 'restore')), 'good');
  equal(latest(good, made('future', 21, 'manual', { year: 2099 })), 'good');
  equal(latest(good, made('foreign', 21, 'manual', { host: 'loft' })), 'good');
  equal(latest(good, { ...made('foreign', 21), tags: ['mine'] }), 'good');
  equal(latest(), undefined);
});

test('of the box itself, too, only its own backups of the past count', () => {
  const ofBox = (...made: Parameters<typeof latest>) => made.map((one) => ({ ...one, tags: ['boxgate-box'] }));
  const all = ofBox(made('old', 1), made('good', 20), made('foreign', 21, '', { host: 'loft' }), made('next', 27));
  equal(latestOfBox([...all, made('app', 21)], now)?.shortId, 'good');
  equal(latestOfBox([made('app', 21)], now), null);
});

test('says why no backup counts as the latest', () => {
  const why = (...all: ReturnType<typeof made>[]) => whyNoLatest(all, 'memos', now);
  const way = '; to take it all the same, name it by its id';
  equal(why({ ...made('x', 1), tags: ['app=feeds'] }), 'there is no backup of memos');
  const none = 'no backup of memos counts as its latest: x';
  equal(why(made('x', 1, 'restore')), `${none} has what a restore replaced${way}`);
  const future = made('x', 1, 'manual', { year: 2099 });
  equal(why(future), `${none} is dated in the future (2099-11-01 03:00 UTC)${way}`);
  equal(why(made('x', 1, 'manual', { host: 'loft' })), `${none} was made by another machine, loft${way}`);
});

test('warns of backups from the future, and of another machine whose backup is the latest', () => {
  const feeds = { ...made('f', 23, 'schedule', { host: 'loft' }), tags: ['app=feeds'] };
  const foreign = made('x', 22, 'schedule', { host: 'loft' });
  deepEqual(backupWarnings([foreign, made('own', 23)], now), []);
  const [text = '', other] = backupWarnings([made('own', 20), foreign, feeds], now);
  equal(text.split(':')[0], 'another machine, loft, made the latest backup of memos, feeds');
  equal(other, undefined);
  const future = [made('a', 1, 'manual', { year: 2099 }), made('b', 2, 'manual', { year: 2099 })];
  const [one = ''] = backupWarnings(future.slice(0, 1), now);
  equal(one.split(':')[0], 'a backup is dated in the future, such as a of memos (2099-11-01 03');
  equal(backupWarnings([made('own', 20), ...future], now)[0]?.slice(0, 21), '2 backups are dated i');
});
