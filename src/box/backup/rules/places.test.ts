import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Mount } from '../../engine/rules/container.ts';
import { type AppData, excludedPaths, howExchanged, placesOf, unsavedVolumes, type Volume } from './places.ts';

const volume = (key: string, more: Partial<Volume> = {}): Volume => ({
  name: `app_${key}`,
  driver: 'local',
  mountpoint: `/volumes/app_${key}/_data`,
  labels: { 'com.docker.compose.project': 'app', 'com.docker.compose.volume': key },
  hasOptions: false,
  ...more,
});
const unnamed = (more: Partial<Volume> = {}) =>
  volume('x', { name: 'f00', labels: { 'com.docker.volume.anonymous': '' }, ...more });
const mount = (more: Partial<Mount>): Mount => ({
  type: 'volume',
  name: '',
  source: '',
  target: '/data',
  isWritable: true,
  ...more,
});
const bind = (source: string, isWritable = true) => mount({ type: 'bind', source, isWritable });
const holder = (service: string, ...mounts: Mount[]) => ({ service, mounts });
const links: Record<string, string> = {
  '/apps/app/films': '/mnt/films',
  '/apps/app/films/new': '/mnt/films/new',
  '/old/app/data': '/apps/app/data',
  '/volumes/app_far/_data': '/mnt/far',
  '/link': '/apps/app',
};
const paths = (mounted: string[] = []) => ({
  real: (path: string) => links[path] ?? path,
  mountsIn: (path: string) => mounted.filter((one) => `${one}/`.startsWith(`${links[path] ?? path}/`)),
});
const places = (data: Partial<AppData>) =>
  placesOf({
    directory: '/apps/app',
    project: 'app',
    volumes: [],
    containers: [],
    declared: ['app_a', 'app_thumbs', 'shared'],
    rules: { volumes: { exclude: ['thumbs'] } },
    paths: paths(),
    ...data,
  });

const f00 = mount({ name: 'f00' });
const leftOut: [string, Partial<AppData>, string[]][] = [
  ['a volume that the manifest excludes', { volumes: [volume('thumbs')] }, ['volume app_thumbs']],
  ['a volume of another driver', { volumes: [volume('a', { driver: 'rclone' })] }, ['volume app_a']],
  ['a volume with options', { volumes: [volume('a', { hasOptions: true })] }, ['volume app_a']],
  ['a volume whose folder is a link', { volumes: [volume('far')] }, ['volume app_far']],
  ['an external volume', { volumes: [volume('s', { name: 'shared', labels: {} })] }, ['volume shared']],
  [
    'a volume of another project that a container has',
    {
      volumes: [volume('f', { name: 'f00', labels: { 'com.docker.compose.project': 'other' } })],
      containers: [holder('db', f00)],
    },
    ['the volume without a name at /data of db'],
  ],
  [
    'a volume that nothing tells to be without a name',
    { volumes: [volume('s', { name: 'f00', labels: {} })], declared: undefined, containers: [holder('db', f00)] },
    ['volume f00'],
  ],
  [
    'a volume without a name of one of several containers',
    { volumes: [unnamed()], containers: [holder('db', f00), holder('db', mount({ name: 'f01' }))] },
    ['the volume without a name at /data of db'],
  ],
  [
    'a folder outside of the app, once',
    { containers: [holder('a', bind('/srv'), bind('/apps/app2')), holder('b', bind('/srv'))] },
    ['/srv', '/apps/app2'],
  ],
  ['the target of a link', { containers: [holder('a', bind('/apps/app/films'))] }, ['/mnt/films']],
  ['a folder below a link', { containers: [holder('a', bind('/apps/app/films/new'))] }, ['/mnt/films/new']],
  [
    'nothing of a plain app, wherever its directory was before',
    { containers: [holder('a', bind('/apps/app/x'), bind('/link'), bind('/old/app/data'), mount({ type: 'tmpfs' }))] },
    [],
  ],
];
for (const [title, data, expected] of leftOut) {
  test(`names ${title}`, () => {
    const found = places(data);
    assert.deepEqual(
      found.leftOut.map(({ what }) => what),
      expected,
    );
    assert.equal(found.saved.length, 0);
  });
}

test('knows what an app cannot change', () => {
  const containers = [holder('a', bind('/etc', false), bind('/srv', false)), holder('b', bind('/srv'))];
  assert.deepEqual(
    places({ containers }).leftOut.map(({ what, isReadOnly }) => [what, isReadOnly]),
    [
      ['/etc', true],
      ['/srv', undefined],
    ],
  );
});

test('saves a volume under its name in the Compose file, and one without a name by where it is used', () => {
  const volumes = [
    volume('a'),
    volume('b', { name: 'mine', labels: { 'com.docker.compose.project': 'app' } }),
    unnamed(),
  ];
  const containers = [holder('db', f00), holder('backup', mount({ name: 'f00', target: '/db$1' }))];
  const { saved } = places({ volumes, containers, declared: ['app_a', 'mine'] });
  assert.deepEqual(
    saved.map(({ key, path, at }) => [key, path, at]),
    [
      ['a', '/volumes/app_a/_data', undefined],
      ['mine', '/volumes/app_b/_data', undefined],
      [
        'unnamed-db-data',
        '/volumes/app_x/_data',
        [
          { service: 'db', target: '/data' },
          { service: 'backup', target: '/db$1' },
        ],
      ],
    ],
  );
  const undeclared = unnamed({ labels: {} });
  assert.equal(places({ volumes: [undeclared], containers: [holder('db', f00)] }).saved[0]?.at?.length, 1);
});

const exchanges: [string, string, boolean, string[], boolean, string | null][] = [
  ['a plain folder', '/volumes/v/_data', true, ['/volumes/other'], false, null],
  ['a disk at a volume', '/volumes/v/_data', true, ['/volumes/v/_data'], true, null],
  [
    'a disk in a volume',
    '/volumes/v/_data',
    true,
    ['/volumes/v/_data/a'],
    false,
    'a disk is mounted at /volumes/v/_data/a',
  ],
  ['a disk at a directory', '/apps/app', false, ['/apps/app'], true, 'a disk is mounted at /apps/app'],
  ['a link', '/volumes/app_far/_data', true, [], false, 'it is a link to /mnt/far'],
  ['a folder of the root', '/data', true, [], false, null],
];
for (const [title, folder, isVolume, mounted, isMountPoint, problem] of exchanges) {
  test(`exchanges the content of ${title}`, () => {
    assert.deepEqual(howExchanged(folder, isVolume, paths(mounted)), { isMountPoint, problem });
  });
}

test('excludes paths only below the directory of the app', () => {
  const excluded = excludedPaths('/apps/app', { exclude: ['cache/**', './tmp', '/log', '*.bak'] });
  assert.deepEqual(
    excluded.map(({ pattern }) => pattern),
    ['cache/**', 'tmp', 'log', '*.bak'],
  );
  assert.deepEqual(excludedPaths('/apps/app', undefined), []);
});

test('names the volumes without a name of which each container of a service has its own', () => {
  const containers = [
    holder('db', f00, mount({ name: 'app_a', target: '/a' })),
    holder('db', mount({ name: 'f01' })),
    holder('web', mount({ name: 'f02' })),
  ];
  assert.deepEqual(unsavedVolumes({ containers, declared: ['app_a'] }), [{ service: 'db', target: '/data' }]);
  assert.deepEqual(unsavedVolumes({ containers, declared: undefined }), []);
});
