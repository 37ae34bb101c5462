import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type Check, check } from '../../../kernel/check.ts';
import { type Exchange, sendRequest } from '../../../kernel/exchange.ts';
import { ensure, equal, list, pluck, refused, status } from '../../../kernel/expect.ts';
import { hasEnded, until } from '../../../kernel/observe.ts';
import { treeDigest } from '../../../kernel/tree.ts';
import { declared, manifest, placeInstalled } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { env, installedFolder, isInstalled, runningContainer } from '../disk.ts';

export const checks: Check<BoxContext>[] = [
  check(
    'box/changes/reads-do-not-wait',
    ['choice/box/127'],
    'answers reads, and refuses invalid changes, while a change waits for the container tool',
    async (box) => {
      box.environment.bundle({ name: 'quay', manifest: manifest('quay') });
      await box.get('/api/apps');
      await box.environment.docker.hang({ on: 'pull', times: 1, ms: 10_000 });
      const install = box.install('quay');
      const isAnswered = hasEnded(install);
      await until('the install waits', async () => (await box.environment.docker.faultsFired()) > 0);
      for (const path of ['/', '/api/apps', '/api/bundled', '/api/self/update/status'])
        status(await box.get(path), 200);
      status(await box.get('/api/apps/quay/settings'), 200);
      refused(await box.changeSettings('nobody', {}), 404);
      refused(await box.updateApp('nobody'), 404);
      refused(await box.remove('nobody'), 404);
      refused(await box.install('nobody'), 400);
      refused(await box.install('quay', { 'A-B': 'x' }), 400);
      equal('the install had ended before', isAnswered(), false);
      await box.environment.docker.clearFaults();
      status(await install, 200);
    },
  ),
  check(
    'box/changes/gone-meanwhile',
    ['choice/box/126'],
    'checks again whether its app still exists when a queued change starts',
    async (box) => {
      placeInstalled(box, 'lagoon');
      status(await box.changeSettings('lagoon', {}), 200);
      await box.environment.docker.hang({ on: 'down', times: 1, ms: 10_000 });
      const removal = box.remove('lagoon');
      await until('the removal waits', async () => (await box.environment.docker.faultsFired()) > 0);
      const late = [box.updateApp('lagoon'), box.remove('lagoon'), box.changeSettings('lagoon', {})];
      // Whether the requests are queued now or later, their app no longer exists.
      status(await box.get('/api/apps'), 200);
      await box.environment.docker.clearFaults();
      status(await removal, 200);
      for (const answer of await Promise.all(late)) refused(answer, 404);
    },
  ),
  check(
    'box/changes/all-at-once',
    ['should/box/516'],
    'loses no value of ten simultaneous settings updates',
    async (box) => {
      const keys = Array.from({ length: 10 }, (_, index) => `KEY${index}`);
      // A long file takes longer to rewrite, so that careless changes overlap.
      const notes = Array.from({ length: 8000 }, (_, index) => `# note ${index}\n`);
      const app = { name: 'lagoon', manifest: manifest('lagoon', { settings: declared(...keys) }) };
      // Without containers no change waits for any.
      box.environment.placeInstalled({ ...app, compose: null, env: notes.join('') });
      for (const turn of ['first', 'second']) {
        const change = (key: string) => box.changeSettings('lagoon', { [key]: `${turn} ${key}` });
        for (const answer of await box.together(() => keys.map(change)))
          ensure('the change is carried out', [200, 207].includes(answer.status), answer.status);
        const written = env(box, 'lagoon');
        for (const key of keys) equal(key, written[key], `${turn} ${key}`);
      }
    },
    { requestMs: 15_000 },
  ),
  check(
    'box/changes/installs-at-once',
    ['should/box/516'],
    'gives each of five apps its own files and values if they are installed simultaneously',
    async (box) => {
      const names = ['ash', 'birch', 'cedar', 'elm', 'fir'];
      // Enough files that the copies of careless installs overlap.
      const files = Array.from({ length: 60 }, (_, index) => `${index}.txt`);
      for (const name of names) {
        const texts = Object.fromEntries(files.map((file) => [file, name]));
        box.environment.bundle({ name, manifest: manifest(name, { settings: declared('OWN') }), files: texts });
      }
      const answers = await box.together(() => names.map((name) => box.install(name, { OWN: name })));
      equal(
        'the statuses',
        pluck(answers, 'status'),
        names.map(() => 200),
      );
      for (const name of names) {
        equal(`the value of ${name}`, env(box, name), { OWN: name });
        const readOwn = (file: string) => readFileSync(join(installedFolder(box, name), file), 'utf8');
        equal(`the files of ${name}`, new Set(files.map(readOwn)), new Set([name]));
        await runningContainer(box, name);
      }
    },
    { requestMs: 15_000 },
  ),
  check(
    'box/changes/two-processes',
    ['choice/box/126', 'choice/box/128'],
    'loses no value if two servers on the same folders change an app simultaneously',
    async (box) => {
      box.environment.placeInstalled({ name: 'lagoon', manifest: manifest('lagoon'), env: 'FIRST=1\n' });
      const first = await box.start();
      const second = await box.start();
      const change = (port: number, key: string) =>
        sendRequest(port, {
          method: 'POST',
          path: '/api/apps/lagoon/settings',
          body: { settings: { [key]: key } },
          timeoutMs: 15_000,
        });
      try {
        const keys = Array.from({ length: 12 }, (_, index) => `K${index}`);
        const ports = [first.port, second.port];
        const answers = await Promise.all(keys.map((key, index) => change(ports[index % 2] ?? 0, key)));
        for (const answer of answers) status(answer, 200);
        const written = env(box, 'lagoon');
        for (const key of keys) equal(key, written[key], key);
      } finally {
        first.kill();
        second.signal('SIGTERM');
      }
    },
    { timeoutMs: 60_000 },
  ),
  check(
    'box/changes/client-goes-away',
    ['choice/box/12'],
    'completes an install whose client has disconnected',
    async (box) => {
      box.environment.bundle({ name: 'quay', manifest: manifest('quay') });
      const { port } = await box.start();
      await box.environment.docker.hang({ on: 'pull', times: 1, ms: 10_000 });
      const body = '{"name":"quay"}';
      const socket = connect({ port, host: '127.0.0.1' });
      socket.on('error', () => undefined);
      socket.write(
        `POST /api/apps/install HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      await until('the install is under way', async () => (await box.environment.docker.faultsFired()) > 0);
      socket.destroy();
      await box.environment.docker.clearFaults();
      await until(
        'the container runs',
        async () => (await box.environment.docker.project('quay')).web?.running === true,
      );
    },
  ),
  check(
    'box/changes/a-hundred-wait',
    ['choice/box/161'],
    'answers 503 to a change while a hundred are unfinished, and only then',
    async (box) => {
      box.environment.placeInstalled({ name: 'lagoon', manifest: manifest('lagoon'), compose: null });
      box.environment.bundle({ name: 'quay', manifest: manifest('quay') });
      await box.get('/api/apps');
      // Finished changes do not count. 99, because the box may make a change of its own at its start.
      const done = await Promise.all(Array.from({ length: 99 }, () => box.updateApp('lagoon')));
      for (const answer of done) status(answer, 200);
      await box.environment.docker.hang({ on: 'pull', times: 1 });
      void box.install('quay');
      await until('the install waits', async () => (await box.environment.docker.faultsFired()) > 0);
      const answers: Exchange[] = [];
      const more = 7;
      for (let count = 0; count < 99 + more; count += 1)
        box
          .changeSettings('lagoon', {})
          .then((answer) => answers.push(answer))
          .catch(() => undefined);
      await until('those beyond a hundred are answered', () => answers.length >= more);
      refused(await box.updateApp('lagoon'), 503);
      refused(await box.install('quay'), 503);
      refused(await box.remove('lagoon'), 503);
      // Does not await the pending requests.
      await box.kill();
      for (const answer of answers) refused(answer, 503);
      equal('how many were refused', answers.length, more);
    },
  ),
  check(
    'box/changes/killed-beside-the-tool',
    ['choice/box/162', 'choice/box/128'],
    'makes a change wait for a container tool that a killed server started',
    async (box) => {
      placeInstalled(box, 'lagoon');
      box.environment.bundle({ name: 'quay', manifest: manifest('quay') });
      await box.get('/api/apps');
      await box.environment.docker.hang({ on: 'pull', times: 1, ms: 60_000 });
      void box.install('quay');
      await until('the install waits', async () => (await box.environment.docker.faultsFired()) > 0);
      await box.kill();
      await box.start();
      const change = box.changeSettings('lagoon', { NEW: 'n' });
      const isAnswered = hasEnded(change);
      // Not a synchronisation: gives a server that does not wait time to show it.
      await new Promise((resolve) => setTimeout(resolve, 700));
      equal('the change was answered before', isAnswered(), false);
      await box.environment.docker.clearFaults();
      status(await change, 200);
      equal('NEW', env(box, 'lagoon').NEW, 'n');
    },
  ),
  ...[0, 2, 5, 13].map((delay) =>
    check<BoxContext>(
      `box/changes/killed-after-${delay * 10}-ms`,
      ['should/box/67', 'should/box/518'],
      'is consistent after kill -9 and a start: an app exists completely or not at all, and can be changed',
      (box) => killedInTheMiddle(box, delay * 10),
    ),
  ),
  ...[10, 30, 80].map((delayMs) =>
    check<BoxContext>(
      `box/changes/nothing-left-after-${delayMs}-ms`,
      ['choice/box/531', 'choice/box/64', 'choice/box/84'],
      'leaves no temporary file after kill -9 and a start',
      async (box) => {
        await killedInTheMiddle(box, delayMs);
        equal(
          'the installed-apps directory',
          readdirSync(box.environment.installedApps)
            .filter((name) => name !== '.boxgate')
            .sort(),
          ['lagoon', 'quay'],
        );
        const left = Object.keys(treeDigest(installedFolder(box, 'quay')));
        ensure('no temporary file in the app', !left.some((name) => /tmp|\.new|\.part|~$/.test(name)), left);
      },
    ),
  ),
];

/** Kills the box while it installs an app and changes another one, starts it again and verifies both. */
async function killedInTheMiddle(box: BoxContext, delayMs: number): Promise<void> {
  const files = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [`d${index % 7}/f${index}`, 'x'.repeat(3000)]),
  );
  const bundled = box.environment.bundle({
    name: 'quay',
    manifest: manifest('quay'),
    files,
    envExample: 'A=1\n',
  });
  box.environment.placeInstalled({ name: 'lagoon', manifest: manifest('lagoon'), env: 'OLD="a b"\n' });
  await box.get('/api/apps');
  void box.install('quay', { A: 'set' });
  void box.changeSettings('lagoon', { NEW: 'n' });
  // Not a synchronisation: varies the moment of the kill.
  await new Promise((resolve) => setTimeout(resolve, delayMs));
  await box.kill();
  await box.start();
  const apps = list(await box.get('/api/apps'));
  ensure(
    'every listed app is whole',
    apps.every((app) => app.ok === true),
    apps,
  );
  if (isInstalled(box, 'quay')) {
    const [want, have] = [treeDigest(bundled), treeDigest(installedFolder(box, 'quay'))];
    for (const path of Object.keys(want))
      equal(`${path} of the installed app`, have[path]?.slice(-64), want[path]?.slice(-64));
  }
  equal('OLD of the other app', env(box, 'lagoon').OLD, 'a b');
  status(await box.install('quay', { A: 'again' }), 200);
  ensure('its .env is there', existsSync(join(installedFolder(box, 'quay'), '.env')));
  equal('A in the container', (await runningContainer(box, 'quay')).env.A, 'again');
}
