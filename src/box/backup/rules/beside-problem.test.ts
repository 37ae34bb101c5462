import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { besideProblem } from './beside-problem.ts';

const links: Record<string, string> = { '/apps/a$b/two/films': '/srv/films' };
const place = { project: 'two', directory: '/apps/a$b/two', real: (path: string) => links[path] ?? path };
const bind = (source: string, more: object = {}) => ({
  services: { web: { volumes: [{ type: 'bind', source, target: '/x', ...more }] } },
});

const rows: [string, object, string | null][] = [
  [
    'volumes and networks of its own',
    { volumes: { data: { name: 'two_data' } }, networks: { default: { name: 'two_default', ipam: {} } } },
    null,
  ],
  ['the network of a proxy', { networks: { proxy: { name: 'proxy', external: true } } }, null],
  ['a volume', { services: { web: { volumes: [{ type: 'volume', source: 'data' }] } } }, null],
  ['a folder of its own', bind('/apps/a$$b/two/files'), null],
  ['its own directory', bind('/apps/a$$b/two'), null],
  ['a link', bind('/apps/a$$b/two/films'), 'its service web writes to /srv/films, which both would share'],
  ['a folder that it reads', bind('/srv/films', { read_only: true }), null],
  ['a socket', bind('/run/docker.sock'), null],
  ['a shared folder', bind('/srv/films'), 'its service web writes to /srv/films, which both would share'],
  ['a container_name', { services: { db: { container_name: 'x' } } }, 'its service db has the fixed container_name x'],
  [
    'the network of the machine',
    { services: { db: { network_mode: 'host' } } },
    'its service db uses the network of the machine',
  ],
  ['an external volume', { volumes: { d: { name: 'two_d', external: true } } }, 'its volume d has a fixed name'],
  ['a named volume', { volumes: { d: { name: 'd' } } }, 'its volume d has a fixed name'],
  [
    'a volume on a share',
    { volumes: { d: { name: 'two_d', driver_opts: { type: 'nfs' } } } },
    'its volume d has its data outside of Docker',
  ],
  ['a named network', { networks: { n: { name: 'n' } } }, 'its network n has a fixed name'],
  [
    'a subnet',
    { networks: { n: { name: 'two_n', ipam: { config: [{ subnet: '10.9.0.0/24' }] } } } },
    'its network n has a fixed subnet',
  ],
];

for (const [title, config, problem] of rows) {
  test(`beside another app: ${title}`, () => equal(besideProblem(config, place), problem));
}
