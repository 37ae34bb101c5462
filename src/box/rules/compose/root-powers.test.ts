// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rootPowers } from './root-powers.ts';

const env = new Map([['SOCK', '/var/run/docker.sock']]);
const directory = '/apps/notes';
const namedIn = (documents: readonly unknown[]) =>
  rootPowers(documents, env, directory).flatMap(({ service, powers }) =>
    powers.size === 0 ? [] : [`${service} (${[...powers].join(', ')})`],
  );
const ofService = (web: unknown, more = {}) => namedIn([{ services: { web }, ...more }]);

/** Rows: a service, and what is named of it. */
const powerful: [Record<string, unknown>, string][] = [
  [{ privileged: true }, 'privileged'],
  [{ privileged: '${X:-true}' }, 'privileged'],
  [{ post_start: [{ command: 'x', privileged: true }] }, 'privileged'],
  [{ network_mode: 'host' }, "the machine's network"],
  [{ pid: 'host', ipc: 'host' }, "the machine's processes, the machine's shared memory"],
  [{ userns_mode: 'host' }, "the machine's users"],
  [{ cgroup: 'host' }, "the machine's control groups"],
  [{ cap_add: ['NET_ADMIN', 'SYS_ADMIN'] }, 'the capability SYS_ADMIN'],
  [{ cap_add: ['cap_sys_ptrace'] }, 'the capability SYS_PTRACE'],
  [{ use_api_socket: true }, "Docker's socket"],
  [{ provider: { type: 'awesomecloud' } }, 'a program of the machine'],
  [{ volumes: ['/var/run/docker.sock:/var/run/docker.sock:ro'] }, '/var/run/docker.sock'],
  [{ volumes: ['${SOCK}:/var/run/docker.sock'] }, '/var/run/docker.sock'],
  [{ volumes: ['${S:-/run/docker.sock}:/s'] }, '/run/docker.sock'],
  [{ volumes: ['/:/host'] }, '/'],
  [{ volumes: ['~/.ssh:/ssh'] }, '~/.ssh'],
  [{ volumes: ['../vault/.env:/e', './data/../../x:/x'] }, '../vault/.env, ./data/../../x'],
  [{ volumes: ['/etc/localtime:/etc/localtime'] }, '/etc/localtime'],
  [{ volumes: [{ type: 'bind', source: 'a/../../x', target: '/x' }] }, 'a/../../x'],
  [{ volumes: [`${directory}-other/data:/x`] }, `${directory}-other/data`],
  [{ volumes: [{ type: 'bind', source: '/etc', target: '/etc' }] }, '/etc'],
  [{ devices: ['/dev/sda:/dev/sda', '/dev/dri'] }, '/dev/sda'],
  [{ device_cgroup_rules: ['c 189:* rmw', 'b 8:* rwm'] }, 'disks of the machine'],
  [{ build: { context: '.', privileged: true } }, 'privileged'],
  [{ build: { context: '.', entitlements: ['network.host', 'security.insecure'] } }, 'privileged'],
  [{ devices: [{ source: '/dev/mem', target: '/dev/mem' }] }, '/dev/mem'],
];

for (const [service, named] of powerful) {
  test(`names ${named} of ${JSON.stringify(service)}`, () => {
    assert.deepEqual(ofService(service), [`web (${named})`]);
  });
}

test('names files and volumes that lie elsewhere on the machine', () => {
  const volumes = { data: { driver_opts: { type: 'none', o: 'bind', device: '/srv' } }, plain: null };
  assert.deepEqual(ofService({ volumes: ['data:/d', 'plain:/p'] }, { volumes }), ['web (/srv)']);
  assert.deepEqual(ofService({ volumes: [{ type: 'volume', source: 'data', target: '/d' }] }, { volumes }), [
    'web (/srv)',
  ]);
  const secrets = { hash: { file: '/etc/shadow' }, own: { file: './own' } };
  const used = ofService({ secrets: ['own', { source: 'hash' }], configs: ['hash'] }, { secrets });
  assert.deepEqual(used, ['web (/etc/shadow)']);
});

test('names nothing of an app that stays in its directory', () => {
  const services = [
    { volumes: ['./data:/data', 'data:/d', '/d', '.:/app', './a/../b:/b', '/etc/localtime:/etc/localtime:ro'] },
    { volumes: [{ type: 'tmpfs', target: '/t' }, { type: 'bind', source: './x', target: '/x' }, null] },
    { volumes: [{ type: 'bind', source: '/etc/timezone', target: '/etc/timezone', read_only: true }] },
    { cap_add: ['NET_ADMIN', 'CHOWN'], devices: ['/dev/dri:/dev/dri', '/dev/net/tun', null] },
    { privileged: false, network_mode: 'service:vpn', pid: 'service:a', secrets: ['absent'] },
    { volumes: ['${X?}:/x'], privileged: '${' },
    null,
    'text',
  ];
  for (const service of services) assert.deepEqual(ofService(service), [], JSON.stringify(service));
  assert.deepEqual(namedIn([null, [], { services: [] }]), []);
});

test('tells the paths in the directory that a service may write, as the engine sees them', () => {
  const volumes = [
    ...['.:/app', './ro:/ro:z,ro', 'named:/d', '/anonymous', `${directory}/data:/data`, './a/..:/b', 'kept:/k'],
    ...[
      { type: 'bind', source: directory, target: '/x' },
      { type: 'bind', source: 'x', target: '/x', read_only: true },
    ],
    { type: 'bind', source: 'sub', target: '/s' },
  ];
  const kept = { driver_opts: { type: 'none', o: 'bind', device: `${directory}/kept` } };
  const documents = [
    { services: { web: { volumes, secrets: ['s'] } }, volumes: { kept }, secrets: { s: { file: './s' } } },
  ];
  const [web] = rootPowers(documents, env, directory);
  assert.deepEqual([...(web?.writes ?? [])], ['.', './data', './a/..', './kept', 'sub']);
  assert.deepEqual([...(web?.powers ?? [])], []);
});

test('adds the powers of an override to those of the Compose file', () => {
  const files = [
    { services: { web: { pid: 'host' }, db: {} } },
    { services: { web: { pid: 'host', privileged: true } } },
  ];
  assert.deepEqual(namedIn(files), ["web (the machine's processes, privileged)"]);
});
