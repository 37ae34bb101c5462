import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storageFailed } from './storage.ts';

const cases: [error: { code: string; path?: string; dest?: string }, message: string][] = [
  [{ code: 'ENOSPC', path: '/from', dest: '/to' }, 'cannot copy: no space left on the disk (/to)'],
  [{ code: 'EROFS', path: '/from', dest: '/to' }, 'cannot copy: the disk is read-only (/to)'],
  [{ code: 'EACCES', path: '/from', dest: '/to' }, 'cannot copy: permission denied (/from)'],
  [{ code: 'ENOSPC', path: '/file' }, 'cannot copy: no space left on the disk (/file)'],
  [{ code: 'EIO' }, 'cannot copy: the disk reports a fault'],
];
for (const [error, message] of cases) {
  test(`names the path that has the fault: ${message}`, () => {
    assert.equal(storageFailed('cannot copy', Object.assign(new Error('x'), error)).message, message);
  });
}
