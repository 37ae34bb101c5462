import { connect } from 'node:net';
import { type Check, check } from '../../../kernel/check.ts';
import { equal, status } from '../../../kernel/expect.ts';
import { until } from '../../../kernel/observe.ts';
import { onlyOf, treeDigest } from '../../../kernel/tree.ts';
import { declared, manifest, placeInstalled } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { containersOf, env, installedFolder, isInstalled, isRunning, runningContainer } from '../disk.ts';

const app = {
  name: 'quay',
  manifest: manifest('quay', { settings: declared('GREETING') }),
  envExample: 'GREETING=old\n',
};

/** Disconnects while the container tool hangs at a step of a change. The tool goes on by itself. */
async function leaveAt(box: BoxContext, on: string, path: string, fields: object): Promise<void> {
  const { docker } = box.environment;
  await docker.hang({ on, match: 'quay', times: 1, ms: 400 });
  const body = JSON.stringify(fields);
  const socket = connect({ port: box.subject().port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  await until('the change is under way', async () => (await docker.faultsFired()) > 0);
  socket.destroy();
  // Waits for the change, and brings no other app in line as a settings update would.
  status(await box.updateApp('anchor'), 200);
}

async function installBoth(box: BoxContext): Promise<void> {
  box.environment.bundle(app);
  placeInstalled(box, 'anchor');
  status(await box.install('quay'), 200);
}

const isGone = async (box: BoxContext) => !isInstalled(box, 'quay') && (await containersOf(box, 'quay')).length === 0;

export const checks: Check<BoxContext>[] = [
  check(
    'box/changes/half-an-install',
    ['should/box/503'],
    'installs an app completely or not at all if its client disconnects',
    async (box) => {
      const files = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`f${index}`, `text ${index}`]));
      const expected = treeDigest(box.environment.bundle({ ...app, files }));
      placeInstalled(box, 'anchor');
      await box.start();
      await leaveAt(box, 'pull', '/api/apps/install', { name: 'quay' });
      await until(
        'it is installed and runs, or neither',
        async () => (await isGone(box)) || (isInstalled(box, 'quay') && (await isRunning(box, 'quay'))),
      );
      if (isInstalled(box, 'quay'))
        equal('its files', onlyOf(expected, treeDigest(installedFolder(box, 'quay'))), expected);
    },
    { requestMs: 15_000 },
  ),
  check(
    'box/changes/half-a-settings-update',
    ['should/box/503'],
    'has the same settings in .env and in a running container if the client of an update of them disconnects',
    async (box) => {
      await installBoth(box);
      await leaveAt(box, 'start', '/api/apps/quay/settings', { settings: { GREETING: 'new' } });
      await until('the container runs with the value of .env', async () => {
        const { web } = await box.environment.docker.project('quay');
        return web?.running === true && web.env.GREETING === env(box, 'quay').GREETING;
      });
    },
    { requestMs: 15_000 },
  ),
  check(
    'box/changes/half-an-update',
    ['should/box/503'],
    'has a running container, old or new, if the client of an app update disconnects',
    async (box) => {
      await installBoth(box);
      const { image } = await runningContainer(box, 'quay');
      await box.environment.docker.advance(image);
      await leaveAt(box, 'start', '/api/apps/quay/update', {});
      await until('the container runs', () => isRunning(box, 'quay'));
    },
    { requestMs: 15_000 },
  ),
  check(
    'box/changes/half-a-removal',
    ['should/box/503'],
    'has neither an app without containers nor containers without an app if the client of a removal disconnects',
    async (box) => {
      await installBoth(box);
      await leaveAt(box, 'down', '/api/apps/remove', { name: 'quay' });
      await until(
        'it is gone, or runs as before',
        async () => (await isGone(box)) || (isInstalled(box, 'quay') && (await isRunning(box, 'quay'))),
      );
    },
    { requestMs: 15_000 },
  ),
];
