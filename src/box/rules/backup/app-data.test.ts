import assert from 'node:assert/strict';
import { test } from 'node:test';
import { excludedPaths, type Mount, planData, type Volume } from './app-data.ts';

const volume = (key: string, more: Partial<Volume> = {}): Volume => ({
  name: `app_${key}`,
  driver: 'local',
  mountpoint: `/volumes/app_${key}/_data`,
  labels: { 'com.docker.compose.volume': key },
  hasOptions: false,
  ...more,
});
const bind = (source: string): Mount => ({ type: 'bind', source, name: '' });

const leftOut: [string, Partial<Parameters<typeof planData>[0]>, string[]][] = [
  ['a volume that the manifest excludes', { volumes: [volume('thumbs')] }, ['volume app_thumbs']],
  ['a volume of another driver', { volumes: [volume('a', { driver: 'rclone' })] }, ['volume app_a']],
  [
    'a volume on a network share or in another folder',
    { volumes: [volume('a', { hasOptions: true })] },
    ['volume app_a'],
  ],
  [
    'a folder outside of the app, once',
    { mounts: [bind('/srv'), bind('/srv'), bind('/apps/app2')] },
    ['/srv', '/apps/app2'],
  ],
  ['a volume of nobody', { mounts: [{ type: 'volume', source: '/v', name: 'x1' }] }, ['volume x1']],
  ['nothing of a plain app', { volumes: [volume('a')], mounts: [bind('/apps/app/x'), bind('/apps/app')] }, []],
  ['no memory', { mounts: [{ type: 'tmpfs', source: '', name: '' }] }, []],
];

for (const [title, data, expected] of leftOut) {
  test(`names ${title}`, () => {
    const rules = { volumes: { exclude: ['thumbs'] } };
    const plan = planData({ directory: '/apps/app', volumes: [], mounts: [], rules, ...data });
    assert.deepEqual(
      plan.leftOut.map(({ what }) => what),
      expected,
    );
    assert.equal(plan.saved.length, (data.volumes ?? []).length - (data.volumes && expected.length > 0 ? 1 : 0));
  });
}

test('saves a volume under its name in the Compose file, also with a name of its own', () => {
  const volumes = [volume('a'), volume('b', { name: 'mine', labels: {} })];
  const { saved } = planData({ directory: '/apps/app', volumes, mounts: [], rules: undefined });
  assert.deepEqual(
    saved.map(({ key, path }) => [key, path]),
    [
      ['a', '/volumes/app_a/_data'],
      ['mine', '/volumes/app_b/_data'],
    ],
  );
});

test('excludes paths only below the directory of the app', () => {
  const excluded = excludedPaths('/apps/app', { exclude: ['cache/**', './tmp', '/log', '*.bak'] });
  assert.deepEqual(
    excluded.map(({ pattern }) => pattern),
    ['cache/**', 'tmp', 'log', '*.bak'],
  );
  assert.deepEqual(excludedPaths('/apps/app', undefined), []);
});
