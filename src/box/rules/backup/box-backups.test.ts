import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxBackupsToForget, boxTag, latestBoxBackup } from './box-backups.ts';

const at = (day: number) => new Date(Date.UTC(2026, 0, day));
const made = (day: number, more = {}) => ({ id: `${day}`, tags: [boxTag], time: at(day), isOwn: true, ...more });

test('seven backups of the box are kept, and the latest one of this machine counts', () => {
  const days = Array.from({ length: 9 }, (_, index) => made(index + 1));
  const others = [made(20, { isOwn: false }), made(21, { tags: ['app=notes'] })];
  assert.deepEqual(boxBackupsToForget([...days, ...others]), ['1', '2']);
  assert.deepEqual(boxBackupsToForget(days.slice(0, 7)), []);
  assert.equal(latestBoxBackup([...days, ...others], at(22))?.id, '9');
  assert.equal(latestBoxBackup(days, at(8))?.id, '8');
  assert.equal(latestBoxBackup(others, at(22)), null);
});
