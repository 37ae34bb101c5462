import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import {
  actionsByApp,
  appLists,
  chosenApps,
  elapsedText,
  openLinks,
  restoreCommand,
  withoutSecrets,
} from './model.js';
import { stubApp } from './stub-server.ts';

const installed = (name: string) => ({ ...stubApp(name), ok: true as const });

test('shows a broken app that is bundled too in the first list alone', () => {
  const broken = { name: 'wiki', ok: false as const, error: 'no manifest' };
  const lists = appLists([broken, { ...broken, name: 'own' }], [stubApp('wiki'), stubApp('feeds')]);
  deepEqual(
    lists.installed.map(({ name, state }) => [name, state]),
    [
      ['wiki', 'broken'],
      ['own', 'broken'],
    ],
  );
  deepEqual(
    lists.available.map(({ name }) => name),
    ['feeds'],
  );
});

test('calls an app without a display name by its name', () => {
  const [app] = appLists([installed('wiki')], []).installed;
  equal(app?.title, 'wiki');
});

const links: [name: string, ports: unknown[], hrefs: string[]][] = [
  ['a number', [8080], ['http://box.lan:8080/']],
  ['a port over TLS', [{ port: 8443, protocol: 'https' }], ['https://box.lan:8443/']],
  [
    'a label that says HTTPS',
    [{ port: 8443, protocol: 'tcp', label: 'Web (HTTPS)' }],
    ['https://box.lan:8443/'],
  ],
  [
    'each port that a browser speaks to',
    [80, { port: 53, protocol: 'udp' }, { port: 81 }],
    ['http://box.lan:80/', 'http://box.lan:81/'],
  ],
  ['nothing for protocols of their own', [{ port: 445, protocol: 'smb' }], []],
  ['nothing for what is no port', [0, 70_000, 1.5, null, { port: '80' }, {}], []],
];
for (const [name, ports, hrefs] of links) {
  test(`opens ${name}`, () => {
    deepEqual(
      openLinks(ports as never, 'box.lan').map(({ href }) => href),
      hrefs,
    );
  });
}

test('finds apps by every word of a query, in name, title and description', () => {
  const { available } = appLists(
    [],
    [stubApp('wiki', { description: 'Notes of the house' }), stubApp('feeds')],
  );
  const found = (query: string) => chosenApps(available, query, 'ascending').map(({ name }) => name);
  deepEqual(found('NOTES wik'), ['wiki']);
  deepEqual(found('notes feeds'), []);
  deepEqual(found(' '), ['feeds', 'wiki']);
});

test('sorts by title as a reader would, backwards, or broken apps first', () => {
  const { installed: apps } = appLists(
    [installed('app10'), installed('app2'), { name: 'zebra', ok: false, error: 'gone' }],
    [],
  );
  const sorted = (order: string) => chosenApps(apps, '', order).map(({ name }) => name);
  deepEqual(sorted('ascending'), ['app2', 'app10', 'zebra']);
  deepEqual(sorted('descending'), ['zebra', 'app10', 'app2']);
  deepEqual(sorted('problems'), ['zebra', 'app2', 'app10']);
});

test('puts the actions of an app together and apps with an error first', () => {
  const groups = actionsByApp([
    { kind: 'copy', target: 'wiki', detail: '' },
    { kind: 'start', target: 'wiki/web', detail: '' },
    { kind: 'noop', target: 'feeds', detail: '' },
    { kind: 'error', target: 'vault/web', detail: 'port taken' },
  ]);
  deepEqual(
    groups.map(({ app, failed, actions }) => [app, failed, actions.length]),
    [
      ['vault', true, 1],
      ['wiki', false, 2],
      ['feeds', false, 1],
    ],
  );
});

test('tells time in seconds, then in minutes', () => {
  deepEqual([0, 59_999, 60_000, 125_000].map(elapsedText), ['0 s', '59 s', '1 min 00 s', '2 min 05 s']);
});

test('takes typed secrets out of a text, also where JSON escaped them', () => {
  const secret = 'pass"word\\1';
  const json = JSON.stringify({ error: `bad value ${secret}` });
  const clean = withoutSecrets(`${json} and ${secret}`, ['', secret]);
  ok(!clean.includes('word'));
  equal(clean, '{"error":"bad value ••••"} and ••••');
});

test('names the command that brings an app back, whatever its directory is called', () => {
  equal(restoreCommand('wiki'), 'boxgate box trash restore wiki');
  equal(restoreCommand("Bob's app"), "boxgate box trash restore 'Bob'\\''s app'");
  equal(restoreCommand('-a'), 'boxgate box trash restore -- -a');
});
