import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, isObject, pluck, status } from '../../../kernel/expect.ts';
import { treeDigest } from '../../../kernel/tree.ts';
import { library, manifest, placeInstalled, settings } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { runningContainer } from '../disk.ts';

const probe = 'GET /api/bundled HTTP/1.1\r\nHost: localhost\r\n\r\n';
const post = 'POST /api/apps/remove HTTP/1.1\r\nHost: localhost\r\n';

/** Requests after which a server and a proxy could disagree about where the next one begins. */
const ambiguous = [
  `${post}Content-Length: 2\r\nContent-Length: ${2 + probe.length}\r\n\r\n{}`,
  `${post}Content-Length: ${2 + probe.length}\r\nContent-Length: 2\r\n\r\n{}`,
  `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  `${post}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`,
];

const malformed = [
  'nonsense\r\n\r\n',
  'GET /api/apps HTTP/x\r\n\r\n',
  'GET /api/apps HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n',
  'POST /api/apps/remove HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n',
  'GET /api/apps HTTP/1.1\r\nHost: x\r\nno header line\r\n\r\n',
];

/** Verifies that no change succeeds that is sent with these headers, and that none has an effect. */
async function changesNothing(box: BoxContext, headers: Record<string, string>): Promise<void> {
  const { installedApps } = box.environment;
  const files = treeDigest(installedApps);
  const { id } = await runningContainer(box, 'anchor');
  const body = { name: 'anchor', settings: { GREETING: 'theirs' } };
  const asked: [string, unknown][] = [
    ['/api/apps/install', { name: 'quay' }],
    ['/api/apps/install', body],
    ['/api/apps/anchor/settings', body],
    ['/api/apps/anchor/update', {}],
    ['/api/apps/remove', body],
    ['/api/self/update/apply', {}],
  ];
  for (const [path, sent] of asked) {
    const answer = await box.post(path, sent, headers);
    ensure(`a POST of ${path} is refused`, answer.status >= 400 && answer.status < 500, answer.status);
  }
  equal('the installed apps', treeDigest(installedApps), files);
  equal('the container', (await runningContainer(box, 'anchor')).id, id);
}

async function startWithAnApp(box: BoxContext): Promise<void> {
  box.environment.bundle({ name: 'quay', manifest: manifest('quay') });
  box.environment.placeInstalled({ name: 'anchor', manifest: manifest('anchor', { settings: [settings.text] }) });
  status(await box.changeSettings('anchor', { GREETING: 'mine' }), 200);
}

/** Names that lead from a directory of apps to `outside`, which is beside it. */
const waysOut = ['..', '.', '../outside', './../outside', 'quay/../../outside', '../installed/../outside', '/'];

export const checks: Check<BoxContext>[] = [
  check(
    'box/requests/ambiguous-length',
    ['should/box/500'],
    'carries out nothing that follows a request of ambiguous length, and closes the connection',
    async (box) => {
      for (const head of ambiguous) {
        const { responses, closed } = await box.raw({ parts: [head, probe], responses: Number.POSITIVE_INFINITY });
        ensure(`nothing is carried out after ${JSON.stringify(head)}`, !pluck(responses, 'status').includes(200));
        ensure(`the connection closes after ${JSON.stringify(head)}`, closed);
      }
      status(await box.get('/api/bundled'), 200);
    },
    { shared: library },
  ),
  check(
    'box/requests/malformed',
    ['should/box/501'],
    'refuses a request that is not valid HTTP with an error of the API, and closes the connection',
    async (box) => {
      for (const head of malformed) {
        const { responses, closed } = await box.raw({ parts: [head], responses: 2 });
        equal(`the number of responses to ${JSON.stringify(head)}`, responses.length, 1);
        const [response] = responses;
        ensure('an error status', (response?.status ?? 0) >= 400, response?.status);
        ensure('an error body', isObject(response?.json) && typeof response.json.error === 'string', response?.text);
        ensure('the connection closes', closed);
      }
    },
    { shared: library },
  ),
  check(
    'box/requests/endless-body',
    ['should/box/502'],
    'refuses a body that no memory can hold before it has arrived, or closes the connection',
    async (box) => {
      for (const path of ['/api/apps/install', '/api/apps/cairn/settings', '/nowhere']) {
        const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${2 ** 42}\r\n\r\n{"name":`;
        const { responses, closed } = await box.raw({ parts: [head] });
        const [response] = responses;
        ensure(`refused at ${path}`, response === undefined ? closed : response.status >= 400, response?.status);
      }
      status(await box.get('/api/bundled'), 200);
    },
    { shared: library },
  ),
  check(
    'box/requests/other-site',
    ['should/box/504'],
    'carries out no change that a page of another site sends, and those of its own page',
    async (box) => {
      await startWithAnApp(box);
      await changesNothing(box, { 'Sec-Fetch-Site': 'cross-site', Origin: 'http://evil.example' });
      await changesNothing(box, { 'Sec-Fetch-Site': 'cross-site' });
      await changesNothing(box, { Origin: 'http://evil.example' });
      const own = `127.0.0.1:${box.subject().port}`;
      for (const Host of [own, 'box.local']) {
        const [name = ''] = Host.split(':');
        const similar = [`${Host}.evil.example`, `${name}.evil.example`, `${name}.evil.example:80`, `evil${Host}`];
        const others = [...similar, `evil.${Host}`, `${Host}@evil.example`, `evil.example@${Host}.evil.example`];
        for (const other of others) await changesNothing(box, { Host, Origin: `http://${other}` });
        await changesNothing(box, { Host, Origin: 'null' });
      }
      const headers = { Host: own, Origin: `http://${own}` };
      for (const more of [{}, { 'Sec-Fetch-Site': 'same-origin' }])
        status(await box.post('/api/apps/anchor/settings', { settings: {} }, { ...headers, ...more }), 200);
    },
  ),
  check(
    'box/requests/foreign-name',
    ['should/box/505'],
    'carries out no change and shows no settings under a public name that is not its own',
    async (box) => {
      await startWithAnApp(box);
      for (const Host of ['evil.example', 'evil.example:7000']) {
        await changesNothing(box, { Host });
        await changesNothing(box, { Host, Origin: `http://${Host}`, 'Sec-Fetch-Site': 'same-origin' });
        const view = await box.get('/api/apps/anchor/settings', { Host });
        ensure('the settings are refused', view.status >= 400 && view.status < 500, view.status);
        ensure('no value is shown', !view.text.includes('mine'), view.text);
      }
    },
  ),
  check(
    'box/names/no-way-out',
    ['should/box/506'],
    'shows, writes and deletes nothing outside the directories of apps, whatever the name is',
    async (box) => {
      const { root, installedApps, bundledApps } = box.environment;
      const outside = join(root, 'outside');
      box.environment.bundle({ name: 'quay', manifest: manifest('quay') });
      placeInstalled(box, 'anchor');
      const view = manifest('outside', { display_name: 'Not to be seen', settings: [settings.text] });
      mkdirSync(outside);
      writeFileSync(join(outside, 'manifest.json'), JSON.stringify(view));
      writeFileSync(join(outside, '.env'), 'GREETING=not-to-be-seen\n');
      const places = [outside, installedApps, bundledApps];
      status(await box.get('/api/apps'), 200);
      const before = places.map((place) => treeDigest(place));
      for (const name of [...waysOut, outside]) {
        for (const answer of [await box.install(name, { GREETING: 'x' }), await box.remove(name)])
          ensure(`${name} is refused`, answer.status >= 400, answer.status);
        ensure(
          `everything is there after ${name}`,
          places.every((place) => existsSync(place)),
        );
        for (const inPath of [name, encodeURIComponent(name), name.replaceAll('.', '%2e')]) {
          const path = `/api/apps/${inPath}/settings`;
          for (const answer of [await box.get(path), await box.post(path, { settings: { GREETING: 'x' } })])
            ensure(`nothing is shown of ${path}`, !/not.to.be.seen/i.test(answer.text), answer.text);
        }
      }
      equal(
        'the directories',
        places.map((place) => treeDigest(place)),
        before,
      );
    },
  ),
];
