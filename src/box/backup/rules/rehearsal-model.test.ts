import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { rehearsalModel } from './rehearsal-model.ts';

const links: Record<string, string> = { '/state/rehearsal/app/films': '/srv/films', '/linked/to/run': '/run' };
const plan = {
  project: 'rehearsal',
  directory: '/state/rehearsal/app',
  formerly: ['/old/apps/memos', '/state/apps/memos'],
  images: new Map([['web', 'sha256:1']]),
  unnamed: [{ key: 'unnamed-db-data', at: [{ service: 'db', target: '/da$ta' }] }],
  real: (path: string) => links[path] ?? path,
};

function rehearsed(config: object) {
  const found = rehearsalModel(config, plan);
  if (!found.ok) throw new Error(found.problem);
  return found.model;
}
const service = (web: object) => (rehearsed({ services: { web } }).services as Record<string, object>).web;
const problem = (web: object) => {
  const found = rehearsalModel({ services: { db: { ...web } } }, plan);
  return found.ok ? null : found.problem;
};

test('a rehearsal publishes nothing, is nobody that others know, and has networks without a way outside', () => {
  const model = rehearsed({
    name: 'memos',
    services: {
      web: {
        image: 'memos:1',
        build: { context: '/old/apps/memos' },
        container_name: 'memos',
        ports: [{ target: 80, published: '80' }],
        labels: { 'traefik.enable': 'true' },
        profiles: ['x'],
        mac_address: '02:42:ac:11:00:02',
        environment: { SECRET: 'a$$b' },
        networks: { proxy: { ipv4_address: '172.20.0.5', aliases: ['notes'] }, back: null },
        healthcheck: { test: ['CMD', 'true'] },
        volumes: [{ type: 'volume', source: 'data', target: '/data' }],
      },
    },
    networks: { proxy: { name: 'proxy', external: true }, back: { name: 'memos_back', ipam: { config: [{}] } } },
    volumes: { data: { name: 'memos-data' }, share: { driver_opts: { type: 'nfs' } } },
    configs: { one: { name: 'memos_one', file: '/old/apps/memos/one.conf' }, two: { content: 'x' } },
    secrets: { key: { file: '/etc/key' } },
  });
  deepEqual(model, {
    name: 'rehearsal',
    services: {
      web: {
        image: 'sha256:1',
        pull_policy: 'missing',
        environment: { SECRET: 'a$$b' },
        networks: { proxy: { aliases: ['notes', 'memos'] }, back: { aliases: ['memos'] } },
        healthcheck: { test: ['CMD', 'true'] },
        volumes: [{ type: 'volume', source: 'data', target: '/data' }],
      },
    },
    networks: {
      default: { name: 'rehearsal_default', internal: true },
      proxy: { name: 'rehearsal_proxy', internal: true },
      back: { name: 'rehearsal_back', internal: true },
    },
    volumes: {
      data: { name: 'rehearsal_data' },
      share: { name: 'rehearsal_share' },
      'unnamed-db-data': { name: 'rehearsal_unnamed-db-data' },
    },
    configs: { one: { name: 'memos_one', file: '/state/rehearsal/app/one.conf' }, two: { content: 'x' } },
    secrets: { key: { file: '/etc/key' } },
  });
});

test('folders of the app are those that were restored, and others cannot be written', () => {
  for (const [source, inside] of [
    ['/old/apps/memos/data', '/state/rehearsal/app/data'],
    ['/state/apps/memos', '/state/rehearsal/app'],
    ['/state/rehearsal/app/data', '/state/rehearsal/app/data'],
    ['/old/apps/memos2/data', null],
    ['/media/films', null],
    ['/etc/localtime', null],
  ] as const) {
    const bind = { type: 'bind', source, target: '/x' };
    const mounted = inside === null ? { ...bind, read_only: true } : { ...bind, source: inside };
    deepEqual(service({ volumes: [bind] }), {
      image: 'sha256:1',
      pull_policy: 'missing',
      networks: { default: { aliases: [] } },
      volumes: [mounted],
    });
  }
  deepEqual(service({ network_mode: 'none' }), {
    network_mode: 'none',
    image: 'sha256:1',
    pull_policy: 'missing',
    volumes: [],
  });
});

test('a link out of the restored directory is read only, and a volume without a name is where it was', () => {
  const bind = (source: string) => ({ type: 'bind', source, target: '/x' });
  const { services } = rehearsed({
    services: {
      web: { volumes: [bind('/state/apps/memos/films')] },
      db: { volumes: [{ type: 'volume', target: '/da$$ta' }, bind('/state/apps/memos/log')] },
    },
  });
  const { web, db } = services as Record<string, { volumes: object[] }>;
  deepEqual(web?.volumes, [{ ...bind('/state/rehearsal/app/films'), read_only: true }]);
  const unnamed = { type: 'volume', source: 'unnamed-db-data', target: '/da$$ta' };
  deepEqual(db?.volumes, [bind('/state/rehearsal/app/log'), unnamed]);
});

test('an app that would act on the machine, or on its own other self, is not rehearsed', () => {
  const bind = (source: string) => ({ volumes: [{ type: 'bind', source, target: '/x' }] });
  for (const web of [
    { network_mode: 'host' },
    { network_mode: 'container:other' },
    { pid: 'host' },
    { ipc: 'host' },
    { uts: 'host' },
    { cgroup: 'host' },
    { privileged: true },
    { devices: ['/dev/ttyUSB0'] },
    { external_links: ['db'] },
    { volumes_from: ['container:db'] },
    { build: { context: '.' } },
    bind('/var/run/docker.sock'),
    bind('/linked/to/run'),
    bind('/srv/engine.sock'),
    bind('/run'),
    bind('/'),
    bind('/var'),
    bind('/dev/dri'),
    bind('/sys/fs/cgroup'),
    bind('/proc'),
    bind('/var/lib/docker/volumes'),
  ]) {
    equal(problem(web)?.startsWith('its service db '), true, JSON.stringify(web));
  }
  for (const web of [
    { network_mode: 'service:web' },
    { pid: 'service:web' },
    { volumes_from: ['web'] },
    bind('/runner'),
  ]) {
    equal(problem(web), null, JSON.stringify(web));
  }
});
