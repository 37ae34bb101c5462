import { type Check, check } from '../../../kernel/check.ts';
import { equal, list, matches, status } from '../../../kernel/expect.ts';
import { until } from '../../../kernel/observe.ts';
import { allSettings, composeOf, manifest, placeInstalled } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { byHand, runningContainer } from '../disk.ts';

const image = 'registry.example/tide:1';
const time = /\d{4}-\d\d-\d\d \d\d:\d\d UTC/;

async function entryOf(box: BoxContext, name: string): Promise<Record<string, unknown>> {
  return list(await box.get('/api/apps')).find((app) => app.name === name) ?? {};
}

/** Waits until the list shows an app in this state, and returns its entry. */
export async function untilState(box: BoxContext, name: string, state: string): Promise<Record<string, unknown>> {
  let entry: Record<string, unknown> = {};
  await until(`the list shows ${name} as ${state}`, async () => {
    entry = await entryOf(box, name);
    return entry.state === state;
  });
  return entry;
}

/** Places an installed app with one service. */
function place(box: BoxContext, name: string, more = '', fields = {}): void {
  box.environment.placeInstalled({ name, manifest: manifest(name, fields), compose: composeOf(image, more) });
}

export const checks: Check<BoxContext>[] = [
  check(
    'box/appState/follows-containers',
    ['choice/box/265', 'choice/box/269'],
    'shows that an app runs, was stopped by hand, and runs again, each time with the time or the reason',
    async (box) => {
      place(box, 'tide');
      status(await box.changeSettings('tide', {}), 200);
      matches('since when it runs', (await untilState(box, 'tide', 'running')).state_detail, time);
      await box.environment.docker.stop((await runningContainer(box, 'tide')).name);
      matches('why it is stopped', (await untilState(box, 'tide', 'stopped')).state_detail, /exit code \d+/);
      status(await box.changeSettings('tide', {}), 200);
      await untilState(box, 'tide', 'running');
      await box.environment.docker.removeContainer((await runningContainer(box, 'tide')).name);
      matches('what is missing', (await untilState(box, 'tide', 'stopped')).state_detail, /tide-web-1/);
    },
  ),
  check(
    'box/appState/restarting',
    ['choice/box/266'],
    'shows an app that exits repeatedly as restarting, even while it runs for a moment',
    async (box) => {
      await box.environment.docker.behave(image, 'restart');
      place(box, 'tide');
      await box.changeSettings('tide', {});
      matches('how often', (await untilState(box, 'tide', 'restarting')).state_detail, /restart/);
    },
  ),
  check(
    'box/appState/health',
    ['choice/box/266'],
    'calls an app starting until its health check has passed, and unhealthy when it fails',
    async (box) => {
      const health = '    healthcheck:\n      test: ["CMD", "true"]\n      interval: 1s\n      retries: 1\n';
      const apps = [
        { name: 'tide', does: 'slow-health', afterMs: 600_000, state: 'starting' },
        { name: 'ebb', does: 'unhealthy', afterMs: 0, state: 'unhealthy' },
      ] as const;
      for (const { name, does, afterMs, state } of apps) {
        const own = `registry.example/${name}:1`;
        await box.environment.docker.behave(own, does, undefined, afterMs);
        const compose = composeOf(own, health);
        const folder = box.environment.placeInstalled({ name, manifest: manifest(name), compose });
        // Started by hand, because a change of the box may wait until a container is healthy.
        await byHand(box, 'docker', folder, 'compose', 'up', '-d');
        matches('why', (await untilState(box, name, state)).state_detail, /health check/);
      }
    },
  ),
  check(
    'box/appState/not-started',
    ['choice/box/267'],
    'shows what prevents an app without containers from starting, or that it only has to be started',
    async (box) => {
      box.environment.placeInstalled({
        name: 'held',
        manifest: manifest('held', { settings: allSettings }),
        env: 'VAULT_KEY=changeme\n',
      });
      box.environment.placeInstalled({ name: 'bare', manifest: manifest('bare'), compose: null });
      box.environment.placeInstalled({ name: 'torn', manifest: 'no JSON' });
      const held = await untilState(box, 'held', 'not_started');
      matches('the key', held.state_detail, /\bVAULT_KEY\b/);
      matches('what is missing', (await untilState(box, 'bare', 'not_started')).state_detail, /Compose file/);
      matches('what is broken', (await untilState(box, 'torn', 'not_started')).state_detail, /JSON/);
      await box.changeSettings('held', { VAULT_KEY: box.secret() });
      await untilState(box, 'held', 'running');
    },
  ),
  check(
    'box/appState/ports',
    ['choice/box/268'],
    'shows the published ports, and for each declared port the published one',
    async (box) => {
      const ports = [{ port: 80, label: 'Web' }, { port: 53, protocol: 'udp' }, 18_332];
      const published = ['127.0.0.1:18331:80', '18332:9', '18333:53/udp'].map((one) => `      - "${one}"\n`);
      place(box, 'tide', `    ports:\n${published.join('')}`, { ports });
      status(await box.changeSettings('tide', {}), 200);
      const entry = await untilState(box, 'tide', 'running');
      equal('published', entry.published, [18_331, 18_332, 18_333]);
      const open = [
        { port: 18_331, label: 'Web' },
        { port: 18_332, label: '' },
      ];
      equal('open_ports', entry.open_ports, open);
      await box.environment.docker.stop((await runningContainer(box, 'tide')).name);
      const { published: none, open_ports: closed } = await untilState(box, 'tide', 'stopped');
      equal('ports of a stopped app', [none, closed], [[], []]);
    },
  ),
  check(
    'box/appState/engine-gone',
    ['choice/box/266', 'choice/box/270'],
    'shows unknown while the engine does not answer, and reconciles all apps when it is back',
    async (box) => {
      placeInstalled(box, 'tide', 'ebb');
      status(await box.changeSettings('tide', {}), 200);
      await untilState(box, 'ebb', 'running');
      await box.environment.docker.setRunning(false);
      matches('why', (await untilState(box, 'tide', 'unknown')).state_detail, /Docker/);
      await untilState(box, 'ebb', 'unknown');
      status(await box.get('/'), 200);
      placeInstalled(box, 'surf');
      await box.environment.docker.setRunning(true);
      for (const name of ['ebb', 'surf', 'tide']) await untilState(box, name, 'running');
    },
  ),
  check(
    'box/appState/start',
    ['choice/box/270'],
    'reconciles all apps after a start, and logs one line about it',
    async (box) => {
      placeInstalled(box, 'tide', 'ebb');
      const subject = await box.start();
      for (const name of ['tide', 'ebb']) {
        await untilState(box, name, 'running');
        await runningContainer(box, name);
      }
      await until('a line on standard error', () => /^reconcile: ok\b/m.test(subject.stderr()));
    },
  ),
];
