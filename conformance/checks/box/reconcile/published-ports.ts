import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../../../../fakes/ports.ts';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, matches, record, refused, status } from '../../../kernel/expect.ts';
import { composeOf, declared, manifest } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { installedFolder, isInstalled, runningContainer } from '../disk.ts';

const portOf = (name: string) => `${name.toUpperCase()}_PORT`;

/** An app that publishes the port of a setting on the loopback address. */
function publishing(name: string) {
  const ports = `    ports: ["127.0.0.1:\${${portOf(name)}:?}:80"]\n`;
  return {
    name,
    manifest: manifest(name, { settings: declared(portOf(name), 'GREETING') }),
    compose: composeOf(`registry.example/${name}:1`, ports),
  };
}

async function installOn(box: BoxContext, name: string, port: number): Promise<string> {
  box.environment.bundle(publishing(name));
  status(await box.install(name, { [portOf(name)]: port }), 200);
  return (await runningContainer(box, name)).id;
}

const envOf = (box: BoxContext, name: string) => readFileSync(join(installedFolder(box, name), '.env'), 'utf8');

export const checks: Check<BoxContext>[] = [
  check(
    'box/published-ports/held-by-app',
    ['choice/box/285', 'choice/box/287'],
    'refuses a port that another app publishes, names that app, and changes neither',
    async (box) => {
      const [one, other] = [await freePort(), await freePort()];
      const ids = [await installOn(box, 'quay', one), await installOn(box, 'reef', other)];
      const before = envOf(box, 'quay');
      const answer = await box.changeSettings('quay', { QUAY_PORT: other, GREETING: 'new' });
      refused(answer, 400);
      const { error } = record(answer);
      matches('the error names the setting', error, /QUAY_PORT/);
      matches('the error names the port', error, new RegExp(`\\b${other}\\b`));
      matches('the error names the app', error, /\breef\b/);
      equal('.env', envOf(box, 'quay'), before);
      const now = [(await runningContainer(box, 'quay')).id, (await runningContainer(box, 'reef')).id];
      equal('the containers', now, ids);
      box.environment.bundle(publishing('moor'));
      refused(await box.install('moor', { MOOR_PORT: one }), 400);
      ensure('nothing is copied', !isInstalled(box, 'moor'));
      refused(await box.install('reef', { REEF_PORT: one }), 400);
      equal('the container', (await runningContainer(box, 'reef')).id, ids[1]);
    },
  ),
  check(
    'box/published-ports/held-by-program',
    ['choice/box/287'],
    'refuses a port on which another program listens, and accepts it when that has ended',
    async (box) => {
      const server = createServer().listen(await freePort(), '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      try {
        box.environment.bundle(publishing('quay'));
        const answer = await box.install('quay', { QUAY_PORT: port });
        refused(answer, 400);
        matches('the error names the port', record(answer).error, new RegExp(`\\b${port}\\b`));
        ensure('nothing is copied', !isInstalled(box, 'quay'));
      } finally {
        server.close();
        await once(server, 'close');
      }
      await installOn(box, 'quay', port);
    },
  ),
  check(
    'box/published-ports/own',
    ['choice/box/288', 'choice/box/287'],
    'accepts a port that the app itself publishes, or that is in use for another protocol',
    async (box) => {
      const port = await freePort();
      await installOn(box, 'quay', port);
      status(await box.changeSettings('quay', { GREETING: 'new' }), 200);
      status(await box.install('quay'), 200);
      const udp = publishing('reef');
      box.environment.bundle({ ...udp, compose: udp.compose.replace(':80"', ':80/udp"') });
      status(await box.install('reef', { REEF_PORT: port }), 200);
    },
  ),
  check(
    'box/published-ports/none',
    ['choice/box/285', 'choice/box/286'],
    'refuses a setting that is not a port from 1 to 65535, names it, and does not change the app',
    async (box) => {
      const id = await installOn(box, 'quay', await freePort());
      const before = envOf(box, 'quay');
      for (const value of [99999, -1, 0, '080x']) {
        const answer = await box.changeSettings('quay', { QUAY_PORT: value });
        refused(answer, 400);
        matches('the error names the setting', record(answer).error, /QUAY_PORT/);
        matches('the error has the value', record(answer).error, new RegExp(`${value}`));
        equal('.env', envOf(box, 'quay'), before);
      }
      equal('the container', (await runningContainer(box, 'quay')).id, id);
      box.environment.bundle(publishing('reef'));
      refused(await box.install('reef', { REEF_PORT: 65536 }), 400);
      ensure('nothing is copied', !isInstalled(box, 'reef'));
    },
  ),
  check(
    'box/published-ports/secret',
    ['choice/box/286', 'choice/box/530'],
    'does not show the value if the setting is a secret',
    async (box) => {
      const app = publishing('quay');
      const settings = declared('QUAY_PORT').map((setting) => ({ ...setting, type: 'password' }));
      box.environment.bundle({ ...app, manifest: manifest('quay', { settings }) });
      const answer = await box.install('quay', { QUAY_PORT: '987654321' });
      refused(answer, 400);
      matches('the error names the setting', record(answer).error, /QUAY_PORT/);
      ensure('the error has no value', !answer.text.includes('987654321'), answer.text);
    },
  ),
];
