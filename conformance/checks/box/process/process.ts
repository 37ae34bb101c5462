import { lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../../fakes/ports.ts';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, list, pluck, refused, status } from '../../../kernel/expect.ts';
import { hasEnded, until } from '../../../kernel/observe.ts';
import { acceptsConnections } from '../../../kernel/subject.ts';
import {
  endsOnTakenPort,
  endsWithOpenConnection,
  exitStatus,
  listensByDefault,
  listensOnHost,
  refusesFlag,
  refusesValue,
} from '../../process.ts';
import { manifest } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { isInstalled, runningContainer } from '../disk.ts';

const request = 'GET /api/apps HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** Verifies that requests leave no line, and changes no path. */
async function logsNoRequest(box: BoxContext): Promise<void> {
  box.environment.bundle({ name: 'quay', manifest: manifest('quay') });
  const subject = await box.start();
  await until('the ready line', () => subject.stdout().includes('\n'));
  const before: [string, string] = [subject.stdout(), subject.stderr()];
  for (const path of ['/', '/api/apps', '/api/bundled', '/nowhere', '/api/apps/x/settings']) {
    await box.get(path);
  }
  await box.post('/api/apps/install', '{');
  equal('what plain requests leave', [subject.stdout(), subject.stderr()], before);
  status(await box.install('quay'), 200);
  status(await box.remove('quay'), 200);
  await box.stop();
  equal('standard output', subject.stdout(), before[0]);
  const added = subject.stderr().slice(before[1].length);
  equal('a path on standard error', /\/api\/|\/nowhere/.exec(added)?.[0] ?? null, null);
}

/** Verifies how the box ends during an install. */
async function endsWell(box: BoxContext, signal: 'SIGTERM' | 'SIGINT'): Promise<void> {
  box.environment.bundle({ name: 'quay', manifest: manifest('quay') });
  const subject = await box.start();
  await box.get('/api/apps');
  await box.environment.docker.hang({ on: 'pull', times: 1, ms: 10_000 });
  const answer = box.install('quay');
  const isAnswered = hasEnded(answer);
  await until('the install is under way', async () => (await box.environment.docker.faultsFired()) > 0);
  subject.signal(signal);
  await until('it accepts no more', async () => !(await acceptsConnections('127.0.0.1', subject.port)));
  equal('the install had ended before', isAnswered(), false);
  const early = await subject.waitForEnd(2000);
  ensure('it runs as long as the install does', early === null || isAnswered(), early);
  await box.environment.docker.clearFaults();
  const { status: given } = await answer;
  // The signal reaches the whole group, so a container tool in it may have ended before the server.
  if (given !== 207) {
    status(await answer, 200);
    await runningContainer(box, 'quay');
  }
  equal('exit status', await exitStatus(subject), 0);
}

export const checks: Check<BoxContext>[] = [
  check(
    'box/process/ready-line',
    ['box/process/2', 'box/process/3'],
    'prints one line with the real port when it is ready, and nothing else on standard output',
    async (box) => {
      const subject = await box.start({ port: 0 });
      status(await box.get('/api/apps'), 200);
      refused(await box.get('/nowhere'), 404);
      equal('standard output', subject.stdout(), `listening on http://127.0.0.1:${subject.port}\n`);
    },
  ),
  check(
    'box/process/default-address',
    ['box/service/6', 'box/service/7', 'box/auth/2', 'box/limits/2'],
    'listens on 127.0.0.1 port 7000 only, by default',
    (box) => listensByDefault(box, { prefix: 'BOX', port: 7000, path: '/api/apps' }),
  ),
  check(
    'box/process/host-and-port',
    ['box/service/8', 'box/process/1'],
    'listens on the configured host and port only',
    (box) => listensOnHost(box, 'BOX_HOST', '/api/apps'),
  ),
  check(
    'box/process/folders',
    ['box/process/4', 'box/process/5', 'box/process/6', 'box/service/11'],
    'takes its folders from its variables. The default for installed apps is apps/ in the state directory',
    async (box) => {
      const environment = { BOX_INSTALLED_APPS: undefined, BOX_BUNDLED_APPS: join(box.environment.root, 'elsewhere') };
      const { bundledApps } = box.environment;
      box.environment.bundle({ name: 'here', manifest: manifest('here') });
      box.environment.bundledApps = environment.BOX_BUNDLED_APPS;
      box.environment.bundle({ name: 'there', manifest: manifest('there') });
      await box.start({ env: environment });
      equal('bundled', pluck(list(await box.get('/api/bundled')), 'name'), ['there']);
      status(await box.install('there'), 200);
      ensure(
        'installed below the state directory',
        readdirSync(join(box.environment.stateDir, 'apps')).includes('there'),
      );
      equal('the other directory is as it was', readdirSync(bundledApps), ['here']);
      equal('the usual installed-apps directory', isInstalled(box, 'there'), false);
      await box.stop();
      await box.start();
      equal('installed in the usual directory', (await box.get('/api/apps')).json, []);
    },
  ),
  check(
    'box/process/no-access-log',
    ['box/service/28', 'box/process/3'],
    'writes no line for a read or a malformed request, and no path for a change',
    logsNoRequest,
  ),
  check(
    'box/process/bad-value',
    ['box/process/13'],
    'exits at once with status 2 and one line that names the invalid variable or its flag',
    async (box) => {
      for (const value of ['seventy', '65536']) await refusesValue(box, 'BOX_PORT', value);
      await refusesValue(box, 'BOX_KEEP_REMOVED_DAYS', 'soon');
    },
  ),
  check(
    'box/process/unknown-flag',
    ['box/process/13'],
    'exits at once with status 2 and one line that names an unknown flag',
    (box) => refusesFlag(box, '--no-such-flag'),
  ),
  check('box/process/flag-wins', ['box/process/11'], 'prefers each flag to its variable', async (box) => {
    const { root, bundledApps, installedApps, stateDir, feed } = box.environment;
    const others = ['no-bundled', 'no-installed', 'no-state'].map((name) => join(root, name));
    for (const folder of others) mkdirSync(folder);
    const [bundled = '', installed = '', state = ''] = others;
    const port = await freePort();
    /** Each flag with its value, and the other value of its variable. */
    const settings = [
      ['host', '127.0.0.1', '127.0.0.3'],
      ['port', String(port), String(await freePort())],
      ['bundled-apps', bundledApps, bundled],
      ['installed-apps', installedApps, installed],
      ['state-dir', stateDir, state],
      ['release-feed', feed.url, `file://${join(root, 'no-feed')}`],
    ] as const;
    box.environment.bundle({ name: 'here', manifest: manifest('here') });
    feed.publish('987.65.4');
    await box.start({
      port,
      flags: settings.map(([flag, value]) => `--${flag}=${value}`),
      env: Object.fromEntries(
        settings.map(([flag, , value]) => [`BOX_${flag.toUpperCase().replaceAll('-', '_')}`, value]),
      ),
    });
    equal('bundled', pluck(list(await box.get('/api/bundled')), 'name'), ['here']);
    status(await box.install('here'), 200);
    ensure('the app is in the directory of the flag', isInstalled(box, 'here'));
    status(await box.post('/api/self/update/check'), 200);
    for (const folder of [installed, state]) equal(`files in ${folder}`, readdirSync(folder), []);
  }),
  check(
    'box/process/idle-connection',
    ['box/process/15'],
    'exits well on SIGTERM although a client keeps an idle connection open',
    (box) => endsWithOpenConnection(box, request),
  ),
  check(
    'box/process/port-taken',
    ['box/process/14', 'box/process/24'],
    'exits with status 1 and one line if its port is taken',
    (box) => endsOnTakenPort(box, 'BOX_PORT'),
  ),
  ...(['SIGTERM', 'SIGINT'] as const).flatMap((signal) => [
    check<BoxContext>(
      `box/process/${signal.toLowerCase()}`,
      [signal === 'SIGTERM' ? 'box/process/15' : 'box/process/16'],
      `on ${signal} finishes pending requests, stops accepting connections and exits with 0`,
      (box) => endsWell(box, signal),
    ),
  ]),
  check(
    'box/process/modes',
    ['box/process/23'],
    'keeps its state directory readable and everything of its own in it private',
    async (box) => {
      box.environment.bundle({ name: 'quay', manifest: manifest('quay'), envExample: 'A=1\n' });
      status(await box.install('quay'), 200);
      status(await box.remove('quay'), 200);
      status(await box.post('/api/self/update/apply'), 202);
      const file = join(box.environment.stateDir, 'update-state.json');
      await until('the state file', () => lstatSync(file, { throwIfNoEntry: false }) !== undefined);
      await until('the job ends', () => box.environment.systemd.units().length === 0);
      const mode = (path: string) => (lstatSync(path).mode & 0o777).toString(8);
      equal('the state directory', mode(box.environment.stateDir), '755');
      equal('update-state.json', mode(file), '644');
      for (const name of readdirSync(box.environment.stateDir)) {
        if (name === 'update-state.json' || name === 'apps') continue;
        ensure(
          `${name} is private`,
          /^[67]00$/.test(mode(join(box.environment.stateDir, name))),
          mode(join(box.environment.stateDir, name)),
        );
      }
    },
  ),
  check(
    'box/origins/allowed-hosts',
    ['box/process/7'],
    'answers under the hosts that BOX_ALLOWED_HOSTS names',
    async (box) => {
      box.environment.placeInstalled({ name: 'cairn' });
      await box.start({ env: { BOX_ALLOWED_HOSTS: 'apps.example.org,other.example.net' } });
      for (const host of ['apps.example.org', 'other.example.net:8443']) {
        status(await box.get('/api/apps/cairn/settings', { Host: host }), 200);
        refused(await box.post('/api/nowhere', {}, { Host: host }), 400, "missing or empty 'name' field");
      }
    },
  ),
];
