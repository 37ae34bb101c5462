import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Aged,
  backupsToForget,
  defaultKeep,
  draftsOfNights,
  type KeptNumbers,
  parseKeep,
} from './backups-to-keep.ts';

const now = new Date(2026, 10, 26, 4);

/** A backup that was made on a day, at an hour. */
function made(id: string, month: number, day: number, tags: string[] = ['reason=schedule'], hour = 3): Aged {
  return { id, time: new Date(2026, month - 1, day, hour), tags: ['app=memos', ...tags], isOwn: true };
}

const keep = (more: Partial<KeptNumbers>): KeptNumbers => ({
  daily: 0,
  weekly: 0,
  monthly: 0,
  'other-days': 0,
  ...more,
});
const forgotten = (snapshots: Aged[], rule: KeptNumbers, at = now) =>
  backupsToForget(snapshots, rule, at).sort().join(' ');

test('the last backup of the latest days, weeks and months is kept', () => {
  const hours = [made('a', 11, 26, undefined, 1), made('b', 11, 26, undefined, 3), made('c', 11, 24)];
  equal(forgotten(hours, keep({ daily: 2 })), 'a');
  equal(forgotten(hours, keep({ daily: 1 })), 'a c');
  // 2026-11-22 is a Sunday, 2026-11-23 a Monday.
  const days = [made('a', 11, 21), made('b', 11, 22), made('c', 11, 23), made('d', 11, 24)];
  equal(forgotten(days, keep({ weekly: 2 })), 'a c');
  equal(forgotten(days, keep({ weekly: 1 })), 'a b c');
  // The week from 2026-12-28 on has days of two years.
  const years = [made('a', 12, 30), made('b', 13, 2), made('c', 13, 5)];
  equal(forgotten(years, keep({ weekly: 2 }), new Date(2027, 0, 6)), 'a');
  const months = [made('a', 9, 1), made('b', 9, 30), made('c', 10, 1), made('d', 11, 1)];
  equal(forgotten(months, keep({ monthly: 2 })), 'a b');
  equal(forgotten(months, keep({ monthly: 9 })), 'a');
});

test('half a year of nights leaves the default numbers', () => {
  const nights = Array.from({ length: 300 }, (_, i) => made(`n${i}`, 11, 26 - i));
  const left = nights.length - backupsToForget(nights, defaultKeep, now).length;
  equal(left, 7 + 2 + 5, 'the first two weeks and the first month end among the seven days');
  equal(forgotten(nights.slice(0, 5), defaultKeep), '');
});

test('a backup that the schedule did not make stays for some days', () => {
  const rule = keep({ daily: 1, 'other-days': 14 });
  for (const reason of ['manual', 'update', 'restore', 'remove']) {
    const others = [made('young', 11, 13, [`reason=${reason}`]), made('old', 11, 11, [`reason=${reason}`])];
    equal(forgotten([...others, made('last', 11, 26)], rule), 'old', reason);
  }
  // What an update or a restore replaced is no state to return to after these days.
  equal(forgotten([made('a', 11, 1, ['reason=update']), made('b', 11, 2, ['reason=restore'])], rule), 'a b');
  equal(forgotten([made('a', 1, 1, ['reason=remove'])], rule), '', 'the last backup of a removed app');
});

test('each app, a killed backup and what others made count for themselves', () => {
  const other = { ...made('other', 1, 1), tags: ['app=feeds', 'reason=schedule'] };
  const foreign = { ...made('foreign', 1, 1), tags: ['mine'] };
  const drafts = [made('draft', 11, 24, ['first-pass']), made('running', 11, 26, ['first-pass'])];
  equal(forgotten([other, foreign, ...drafts, made('last', 11, 26)], keep({})), 'draft');
});

test('the latest seven backups of the box itself stay', () => {
  const nights = Array.from({ length: 9 }, (_, i) => ({ ...made(`n${i}`, 11, i + 1), tags: ['boxgate-box'] }));
  const foreign = { ...made('foreign', 11, 20), tags: ['boxgate-box'], isOwn: false };
  equal(forgotten([...nights, foreign], keep({})), 'n0 n1');
  equal(forgotten(nights.slice(0, 7), keep({})), '');
});

test('backups from the future take the place of none, and stay', () => {
  const future = Array.from({ length: 7 }, (_, i) => ({ ...made(`f${i}`, 2, i + 1), time: new Date(2043, 1, i + 1) }));
  const nights = Array.from({ length: 10 }, (_, i) => made(`n${i}`, 11, 26 - i));
  equal(forgotten([...future, ...nights], keep({ daily: 7 })), forgotten(nights, keep({ daily: 7 })));
});

test("another machine's backups are no business of this one", () => {
  const other = (id: string, day: number) => ({ ...made(id, 11, day), isOwn: false });
  equal(forgotten([other('a', 1), other('b', 26), made('old', 11, 2), made('last', 11, 3)], keep({ daily: 1 })), 'old');
});

test("the first passes of this machine's nights are forgotten at their end", () => {
  const first = (id: string, reason: string) => made(id, 11, 26, [`reason=${reason}`, 'first-pass']);
  const all = [first('a', 'schedule'), first('b', 'manual'), made('c', 11, 26)];
  deepEqual(draftsOfNights([...all, { ...first('d', 'schedule'), isOwn: false }]), ['a']);
});

test('a backup that lacks files replaces no complete one', () => {
  const lacking = made('lacking', 11, 26, ['reason=schedule', 'incomplete']);
  equal(forgotten([made('whole', 11, 1), lacking], keep({ daily: 7 })), 'lacking');
  equal(forgotten([lacking], keep({})), '');
});

test('numbers are read from a text, and nothing else is', () => {
  deepEqual(parseKeep('daily=3, other-days=30'), { ...defaultKeep, daily: 3, 'other-days': 30 });
  for (const text of [
    '',
    'daily',
    'daily=',
    'daily=-1',
    'daily=1.5',
    'yearly=1',
    'constructor=1',
    'daily=1;weekly=2',
  ]) {
    equal(parseKeep(text), undefined, text);
  }
});
