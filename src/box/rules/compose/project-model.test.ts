import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasBuilt, type ProjectModel, projectModel } from './project-model.ts';

const digest = (text: string) => `digest of ${text}`;
const modelOf = (services: object, others: object = {}): ProjectModel =>
  projectModel({ name: 'notes', services, ...others }, '/apps/notes', digest);

test('has what the box needs of each service, and nothing else', () => {
  const { name, services } = modelOf(
    {
      web: {
        image: 'web:$$1',
        build: { context: '.' },
        environment: { PASSWORD: 'secret' },
        depends_on: { job: { condition: 'service_completed_successfully' }, db: { condition: 'service_started' } },
        configs: [{ source: 'text' }, { source: 'file' }, { source: 'absent' }],
        secrets: ['variable'],
        volumes: [
          { type: 'bind', source: '/apps/notes/app.conf', target: '/etc/app.conf' },
          { type: 'bind', source: '/srv/$$data', target: '/data' },
          { type: 'volume', source: 'data', target: '/var' },
          { type: 'volume', source: 'shared', target: '/shared' },
          { type: 'volume', source: 'network', target: '/network' },
          { type: 'tmpfs', target: '/tmp' },
        ],
      },
      db: { image: 'db:1', command: null },
    },
    {
      volumes: {
        data: { name: 'notes_data' },
        shared: { driver_opts: { type: 'none', o: 'rw, bind', device: '/mnt/disk' } },
        network: { driver_opts: { type: 'nfs', o: 'addr=nas', device: ':/share' } },
      },
      configs: { text: { content: 'hello' }, file: { file: '/apps/notes/c.conf' } },
      secrets: { variable: { environment: 'DB_SECRET' } },
    },
  );
  assert.equal(name, 'notes');
  assert.deepEqual(services, {
    web: {
      image: 'web:$1',
      isBuilt: true,
      after: ['job'],
      ports: [],
      texts: ['digest of hello', 'env:DB_SECRET'],
      files: ['c.conf'],
      mounts: ['app.conf', '/srv/$data', '/mnt/disk'],
    },
    db: { image: 'db:1', isBuilt: false, after: [], ports: [], texts: [], files: [], mounts: [] },
  });
});

const ports: [entry: object, wanted: string | null][] = [
  [{ target: 80, published: '8080', protocol: 'tcp' }, ':8080-8080>80/tcp'],
  [{ target: 53, published: '53', protocol: 'UDP', host_ip: '127.0.0.1' }, '127.0.0.1:53-53>53/udp'],
  [{ target: 80, published: 8080, host_ip: '::ffff:1.2.3.4' }, '1.2.3.4:8080-8080>80/tcp'],
  [{ target: 80 }, null],
  [{ target: 80, published: '' }, null],
  [{ target: 80, published: '0' }, null],
  [{ target: 80, published: '8080-8090' }, null],
  [{ target: 80, published: '8080', host_ip: 'localhost' }, null],
];
for (const [entry, wanted] of ports) {
  test(`wants ${wanted ?? 'no certain port'} for ${JSON.stringify(entry)}`, () => {
    const found = modelOf({ web: { ports: [entry] } }).services.web?.ports ?? [];
    const shown = found.map(
      ({ address, from, to, target, protocol }) => `${address}:${from}-${to}>${target}/${protocol}`,
    );
    assert.deepEqual(shown, wanted === null ? [] : [wanted]);
  });
}

test('a service in the network of another container publishes nothing itself', () => {
  const web = { network_mode: 'service:vpn', ports: [{ target: 80, published: '8080' }] };
  assert.deepEqual(modelOf({ web }).services.web?.ports, []);
});

test('knows whether an image is built here', () => {
  assert.equal(hasBuilt(modelOf({ web: { image: 'web:1' } })), false);
  assert.equal(hasBuilt(modelOf({ web: { image: 'web:1' }, own: { build: { context: '.' } } })), true);
});

const notModels: Record<string, [config: unknown, message: string]> = {
  'a text': ['x', 'it names no project'],
  'a list': [[], 'it names no project'],
  nothing: [null, 'it names no project'],
  'a document without a name': [{ services: {} }, 'it names no project'],
  'a document without services': [{ name: 'notes' }, 'it names no services'],
};
for (const [what, [config, message]] of Object.entries(notModels)) {
  test(`is not made of ${what}`, () => assert.throws(() => projectModel(config, '/apps/notes', digest), { message }));
}

test('understands fields of any form', () => {
  const odd = { web: 5, db: { ports: 'x', volumes: [null, 3], configs: { a: 1 }, secrets: [null], depends_on: [1] } };
  assert.deepEqual(Object.keys(modelOf(odd).services), ['web', 'db']);
});

test('keeps what its own volumes are made with as a digest, because options may have a password', () => {
  const { made } = modelOf(
    {},
    {
      volumes: {
        plain: { name: 'notes_plain' },
        share: {
          name: 'notes_share',
          driver: 'local',
          driver_opts: { type: 'cifs', o: 'password=a$$b', device: '//nas/x' },
        },
        plugin: { name: 'notes_plugin', driver: 'rclone', driver_opts: { remote: 'x' } },
        empty: { name: 'notes_empty', driver_opts: { o: '' } },
        foreign: { name: 'foreign', external: true },
      },
    },
  );
  assert.deepEqual(made, {
    notes_plain: 'digest of ["local",[]]',
    notes_share: 'digest of ["local",[["device","//nas/x"],["o","password=a$b"],["type","cifs"]]]',
    notes_plugin: 'digest of ["rclone",[]]',
    notes_empty: 'digest of ["local",[["o",""]]]',
  });
});
