import assert from 'node:assert/strict';
import { test } from 'node:test';
import { containerEvents } from './up-output.ts';

test('keeps the strongest change of each container', () => {
  const output = ` Network app_default  Created
 Volume "app_data"  Created
 Container app-db-1  Creating
 Container app-db-1  Created
 Container app-db-1  Starting
 Container app-db-1  Started
 Container app-web-1  Recreate
 Container app-web-1  Recreated
 Container app-web-1  Started
 Container app-cache-1  Running
 Container app-old-1  Stopped
 Container app-old-1  Removed
 Container app-db-1  Healthy
 Container app-job-1  Started
`;
  assert.deepEqual(
    [...containerEvents(output)],
    [
      ['app-db-1', 'created'],
      ['app-web-1', 'recreated'],
      ['app-cache-1', 'running'],
      ['app-old-1', 'removed'],
      ['app-job-1', 'started'],
    ],
  );
});

test('reads the marks that newer versions put before a line, and both kinds of line ends', () => {
  const output = ' ✔ Container a-web-1  Started                0.3s\r\n ✔ Container a-db-1 Created \r\n';
  assert.deepEqual(
    [...containerEvents(output)],
    [
      ['a-web-1', 'started'],
      ['a-db-1', 'created'],
    ],
  );
});

test('finds nothing in text without progress', () => {
  assert.equal(containerEvents('level=warning msg="Container of things"\nContainer\n').size, 0);
});
