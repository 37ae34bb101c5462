import { once } from 'node:events';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, refused, status } from '../../../kernel/expect.ts';
import { hasEnded, until } from '../../../kernel/observe.ts';
import { treeDigest } from '../../../kernel/tree.ts';
import { manifest, placeInstalled } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { byHand, installedFolder, isInstalled, runningContainer } from '../disk.ts';
import { unhurried } from '../updates/two-services.ts';

const otherProject = `services:
  web:
    image: registry.example/other:1
    restart: unless-stopped
    volumes: [rows:/data]
  job:
    image: registry.example/job:1
volumes:
  rows: {}
`;

const changes = [
  ['/api/apps/install', { name: 'quay' }],
  ['/api/apps/anchor/settings', { settings: { GREETING: 'x' } }],
  ['/api/apps/anchor/update', {}],
  ['/api/apps/remove', { name: 'anchor' }],
  ['/api/self/update/apply', {}],
  ['/api/apps/anchor', { name: 'anchor', settings: { GREETING: 'x' } }],
  ['/api/apps/anchor/', {}],
  ['/api/apps/quay', { name: 'quay' }],
  ['/api/bundled/quay', {}],
  ['/api/apps', { name: 'quay' }],
  ['/api/self/update', {}],
] as const;

export const checks: Check<BoxContext>[] = [
  check(
    'box/containers/of-other-projects',
    ['should/box/512', 'should/box/513'],
    'leaves the containers, volumes and networks of projects alone that no app has, running or stopped',
    async (box) => {
      const { docker, root } = box.environment;
      const folder = join(root, 'elsewhere', 'workshop');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'compose.yaml'), box.environment.composeText(otherProject));
      await byHand(box, 'docker', folder, 'compose', 'up', '-d');
      await docker.stop((await runningContainer(box, 'workshop', 'job')).name);
      const stateOf = async () => {
        const own = Object.values(await docker.project('workshop')).map(({ id, running }) => `${id} ${running}`);
        const named = [...(await docker.volumes()), ...(await docker.networks())].filter((name) =>
          /workshop/.test(name),
        );
        return [...own.sort(), ...named.sort()];
      };
      const before = await stateOf();
      equal('containers, volumes and networks before', before.length, 4);
      placeInstalled(box, 'anchor');
      box.environment.bundle({ name: 'quay', manifest: manifest('quay') });
      status(await box.install('quay'), 200);
      status(await box.changeSettings('anchor', {}), 200);
      await docker.advance('registry.example/quay:1.4');
      status(await box.updateApp('quay'), 200);
      for (const name of ['quay', 'anchor']) status(await box.remove(name), 200);
      equal('containers, volumes and networks', await stateOf(), before);
    },
    unhurried,
  ),
  check(
    'box/removeApp/links-inside',
    ['should/box/507'],
    'erases an app with links without what is at their other ends',
    async (box) => {
      const outside = join(box.environment.root, 'outside');
      mkdirSync(join(outside, 'photos'), { recursive: true });
      for (const name of ['photos/one.jpg', 'two.txt']) writeFileSync(join(outside, name), 'theirs');
      box.environment.bundle({ name: 'quay', manifest: manifest('quay') });
      await box.start({ env: { BOX_KEEP_REMOVED_DAYS: '0' } });
      status(await box.install('quay'), 200);
      symlinkSync(outside, join(installedFolder(box, 'quay'), 'data'));
      symlinkSync(join(outside, 'two.txt'), join(installedFolder(box, 'quay'), 'two.txt'));
      const before = treeDigest(outside);
      status(await box.remove('quay'), 200);
      ensure('the app is gone', !isInstalled(box, 'quay'));
      equal('what is outside', treeDigest(outside), before);
      rmSync(outside, { recursive: true });
    },
  ),
  check(
    'box/changes/lists-while-docker-hangs',
    ['should/box/517'],
    'answers the lists and the settings view while every call of the container tool hangs',
    async (box) => {
      placeInstalled(box, 'anchor');
      status(await box.changeSettings('anchor', {}), 200);
      await box.environment.docker.hang({ on: 'any', ms: 60_000 });
      const asked = { path: '/api/apps/anchor/settings', body: { settings: { A: 'b' } }, timeoutMs: 60_000 };
      const change = box.request({ method: 'POST', ...asked }).catch(() => null);
      const isAnswered = hasEnded(change);
      await until('the change waits', async () => (await box.environment.docker.faultsFired()) > 0);
      for (const path of ['/', '/api/apps', '/api/bundled', '/api/apps/anchor/settings', '/api/self/update/status'])
        status(await box.get(path), 200);
      equal('whether the change had ended before', isAnswered(), false);
      await box.environment.docker.clearFaults();
      await change;
    },
  ),
  check(
    'box/requests/other-methods-change-nothing',
    ['should/box/630'],
    'changes nothing in answer to a method other than POST',
    async (box) => {
      placeInstalled(box, 'anchor');
      box.environment.bundle({ name: 'quay', manifest: manifest('quay') });
      status(await box.changeSettings('anchor', {}), 200);
      const before = treeDigest(box.environment.installedApps);
      const { id } = await runningContainer(box, 'anchor');
      for (const method of ['OPTIONS', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'GET']) {
        for (const [path, body] of changes) await box.request({ method, path, body }).catch(() => undefined);
        equal(`the files of apps after ${method}`, treeDigest(box.environment.installedApps), before);
      }
      equal('the container', (await runningContainer(box, 'anchor')).id, id);
      equal('the update of the software', (await box.get('/api/self/update/status')).json, {});
    },
  ),
  check(
    'box/requests/silent-clients',
    ['should/box/631'],
    'answers other clients while some connect and send nothing, or only a part of a request',
    async (box) => {
      const { port } = await box.start();
      const parts = [
        '',
        'GET /api/apps HT',
        'POST /api/apps/remove HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{',
      ];
      const sockets = [...parts, ...parts, ...parts].map((part) => {
        const socket = connect({ port, host: '127.0.0.1' });
        socket.on('error', () => undefined);
        socket.write(part);
        return socket;
      });
      try {
        await Promise.all(sockets.map((socket) => socket.connecting && once(socket, 'connect')));
        for (let round = 0; round < 3; round += 1) status(await box.get('/api/apps'), 200);
        refused(await box.post('/api/apps/remove', { name: 'nobody' }), 404);
      } finally {
        for (const socket of sockets) socket.destroy();
      }
    },
  ),
  check(
    'box/requests/deep-bodies',
    ['should/box/632'],
    'goes on after bodies that nest deeply or have very many keys',
    async (box) => {
      const depth = 100_000;
      const bodies = [
        `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
        `{"name":${'['.repeat(depth)}${']'.repeat(depth)}}`,
        '['.repeat(depth),
        `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":${index}`).join()}}`,
      ];
      const { pid } = await box.start();
      for (const body of bodies) {
        for (const path of ['/api/nowhere', '/api/apps/remove']) await box.post(path, body).catch(() => undefined);
        status(await box.get('/api/apps'), 200);
      }
      equal('the process that answers', box.subject().pid, pid);
      equal('whether it ended', box.subject().ended(), null);
    },
  ),
];
