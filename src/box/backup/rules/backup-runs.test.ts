import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import {
  atPlace,
  awayFor,
  type BackupRuns,
  backupProblems,
  dueRehearsals,
  isOverdue,
  noRuns,
  parseRuns,
  withAway,
  withBackup,
} from './backup-runs.ts';

const now = new Date('2026-11-26T04:00:00Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString();
const on: BackupRuns = { ...noRuns, enabledAt: daysAgo(30), endedAt: daysAgo(1) };
const problems = (runs: BackupRuns) => Object.fromEntries(backupProblems(runs, ['feeds', 'memos'], now));

test('the record is read back, and damaged parts count as never done', () => {
  const runs: BackupRuns = {
    place: '/mnt/usb',
    enabledAt: daysAgo(9),
    endedAt: daysAgo(1),
    problem: 'full',
    apps: { memos: { succeededAt: daysAgo(2), failure: 'away' } },
    rehearsals: { memos: { at: daysAgo(3), failure: null } },
    nextPart: 30,
    awayMs: { s12345678: 1200 },
    isKeyKept: true,
  };
  deepEqual(parseRuns(JSON.stringify(runs)), runs);
  for (const text of [
    '',
    'null',
    '[]',
    '{',
    '{"nextPart":31,"apps":[],"rehearsals":{"a":1}}',
    '{"nextPart":"x","apps":7}',
  ]) {
    deepEqual(parseRuns(text), noRuns, text);
  }
  deepEqual(parseRuns('{"apps":{"a":{"succeededAt":1}},"rehearsals":{"a":{}}}'), {
    ...noRuns,
    apps: { a: { succeededAt: null, failure: null } },
    rehearsals: { a: { at: '', failure: null } },
  });
});

test('a new place begins anew, and the schedule goes on', () => {
  const runs = withBackup({ ...on, place: '/mnt/usb', problem: 'damaged', nextPart: 3 }, 'memos', 'full', now);
  deepEqual(problems(runs), { feeds: 'damaged', memos: 'damaged' });
  equal(atPlace(runs, '/mnt/usb'), runs);
  equal(atPlace(on, '/mnt/usb'), on);
  deepEqual(atPlace(runs, 's3:other'), { ...on, place: 's3:other' });
});

test('a failed backup keeps the time of the last good one', () => {
  const good = withBackup(noRuns, 'memos', null, now);
  deepEqual(good.apps.memos, { succeededAt: now.toISOString(), failure: null });
  deepEqual(withBackup(good, 'memos', 'full', new Date()).apps.memos, { ...good.apps.memos, failure: 'full' });
  deepEqual(withBackup(noRuns, 'memos', 'full', now).apps.memos, { succeededAt: null, failure: 'full' });
});

test('each app has its own failure, and what concerns all comes first', () => {
  const failing = { ...on, apps: { memos: { succeededAt: null, failure: 'full' } } };
  deepEqual(problems(on), {});
  deepEqual(problems(failing), { memos: 'full' });
  deepEqual(problems({ ...on, rehearsals: { feeds: { at: daysAgo(1), failure: 'falls' } } }), { feeds: 'falls' });
  deepEqual(problems({ ...failing, problem: 'damaged' }), { feeds: 'damaged', memos: 'damaged' });
  deepEqual(problems({ ...failing, enabledAt: null }), {}, 'no schedule');
});

test('how long an app was away is known of the latest backups', () => {
  const ids = Array.from({ length: 1100 }, (_, i) => `${i}`.padStart(8, '0'));
  const runs = ids.reduce((before, id) => withAway(before, `${id}ff`, 12.4), noRuns);
  deepEqual([awayFor(runs, '00000001'), awayFor(runs, '00001099ff')], [null, 12]);
  equal(withAway(noRuns, 'a', null), noRuns);
  deepEqual(parseRuns('{"awayMs":{"s1":5,"s2":"x"}}').awayMs, { s1: 5 });
});

test('times that a wrong clock noted do not count', () => {
  const future = '2031-01-01T00:00:00Z';
  equal(isOverdue({ ...on, endedAt: future }, now), true);
  equal(isOverdue({ ...on, endedAt: daysAgo(-0.5) }, now), false, 'a clock that was put back by an hour');
  equal(isOverdue({ ...on, enabledAt: future, endedAt: null }, now), true);
  equal(
    problems({ ...on, enabledAt: future, endedAt: future }).memos,
    'the last backups were noted under a clock that was wrong, and none was made since; on the box, `systemctl status boxgate-backup` says why',
  );
  const rehearsals = { feeds: { at: future, failure: null }, memos: { at: daysAgo(40), failure: null } };
  deepEqual(dueRehearsals({ ...on, rehearsals }, ['feeds', 'memos'], now), ['feeds', 'memos']);
});

test('no run for two days is told', () => {
  for (const [runs, late] of [
    [on, false],
    [{ ...on, endedAt: daysAgo(1.9) }, false],
    [{ ...on, endedAt: daysAgo(2.1) }, true],
    [{ ...on, endedAt: null }, true],
    [{ ...on, endedAt: null, enabledAt: daysAgo(1) }, false],
    [{ ...on, endedAt: daysAgo(9), enabledAt: daysAgo(1) }, false],
    [{ ...on, enabledAt: null, endedAt: daysAgo(9) }, false],
  ] as const) {
    equal(isOverdue(runs, now), late, JSON.stringify(runs));
  }
  equal(
    problems({ ...on, endedAt: daysAgo(3) }).feeds,
    'no backup was made since 2026-11-23 04:00 UTC; on the box, `systemctl status boxgate-backup` says why',
  );
});

test('one app a month is rehearsed in turn, and a failed one each night', () => {
  const due = (rehearsals: BackupRuns['rehearsals']) => dueRehearsals({ ...on, rehearsals }, ['a', 'b', 'c'], now);
  const at = (days: number, failure: string | null = null) => ({ at: daysAgo(days), failure });
  deepEqual(due({}), ['a', 'b', 'c']);
  deepEqual(due({ a: at(28), b: at(60) }), ['c', 'b', 'a']);
  deepEqual(due({ a: at(27) }), []);
  deepEqual(due({ a: at(1), b: at(2, 'falls') }), ['b']);
  deepEqual(due({ removed: at(1, 'falls') }), ['a', 'b', 'c'], 'an app that is gone does not count');
});
