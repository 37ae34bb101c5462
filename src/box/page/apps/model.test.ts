import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { stubApp } from '../testing/stub-server.ts';
import {
  type App,
  actionsByApp,
  appLists,
  backupTrouble,
  bestAddress,
  boxCommand,
  categoriesOf,
  elapsedText,
  isFailing,
  makeFilter,
  onlyOnBoxText,
  openLinks,
  othersInTrouble,
  portTexts,
  sortedApps,
  withoutSecrets,
} from './model.js';

const live = {
  state: 'running' as const,
  state_detail: 'Running since 2026-11-21 10:32 UTC.',
  published: [],
  open_ports: [],
  available_version: null,
};
const installed = (name: string, more = {}) => ({ ...stubApp(name), ...live, ok: true as const, ...more });
const broken = (name: string) => ({ ...live, name, ok: false as const, error: 'no manifest' });

test('shows a broken app that is bundled too in the first list alone', () => {
  const lists = appLists([broken('wiki'), broken('own')], [stubApp('wiki'), stubApp('feeds')]);
  deepEqual(
    lists.installed.map(({ name, kind }) => [name, kind]),
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

test('calls apps that share a title by their names as well', () => {
  const memos = { display_name: 'Memos' };
  const lists = appLists(
    [installed('second', memos), installed('wiki', memos), broken('memos')],
    [stubApp('third', memos)],
  );
  deepEqual(
    [...lists.installed, ...lists.available].map(({ title }) => title),
    ['Memos (second)', 'Memos (wiki)', 'memos', 'Memos (third)'],
  );
});

test('opens the ports that are published now, over TLS where the label says so', () => {
  const openPorts = [
    { port: 5233, label: '' },
    { port: 8443, label: 'Web (HTTPS)' },
  ];
  deepEqual(
    openLinks({ open_ports: openPorts }, 'box.lan').map(({ href }) => href),
    ['http://box.lan:5233/', 'https://box.lan:8443/'],
  );
});

test('does not open elsewhere what only the box itself reaches', () => {
  const openPorts = [
    { port: 5233, label: '', loopback: true },
    { port: 5234, label: 'Admin', loopback: true },
    { port: 8443, label: '' },
  ];
  const at = (hostname: string) => [
    openLinks({ open_ports: openPorts }, hostname).length,
    onlyOnBoxText({ open_ports: openPorts }, hostname),
  ];
  for (const hostname of ['box.lan', '192.168.1.7', '[fe80::1]', 'localhost.example.org', '1270.0.0.1']) {
    deepEqual(at(hostname), [1, 'Port 5233, 5234: only on the box itself.'], hostname);
  }
  for (const hostname of ['127.0.0.1', '127.1.2.3', '[::1]', 'localhost', 'box.localhost']) {
    deepEqual(at(hostname), [3, ''], hostname);
  }
});

test('finds apps by every word of a query, in name, title, description and category', () => {
  const { available } = appLists(
    [],
    [stubApp('feeds'), stubApp('wiki', { description: 'Notes of the house', category: 'Texts' })],
  );
  const found = (query: string, category = '') => available.filter(makeFilter(query, category)).map(({ name }) => name);
  deepEqual(found('NOTES wik'), ['wiki']);
  deepEqual(found('notes text'), ['wiki']);
  deepEqual(found('notes feeds'), []);
  deepEqual(found('', ' texts'), ['wiki']);
  deepEqual(found('feeds', 'Texts'), []);
  deepEqual(found(' '), ['feeds', 'wiki']);
});

test('sorts by title as a reader would, backwards, or apps in trouble first', () => {
  const { installed: apps } = appLists(
    [installed('app10'), installed('app2'), installed('loop', { state: 'restarting' }), broken('zebra')],
    [],
  );
  const sorted = (order: string) => sortedApps(apps, order).map(({ name }) => name);
  deepEqual(sorted('ascending'), ['app2', 'app10', 'loop', 'zebra']);
  deepEqual(sorted('descending'), ['zebra', 'loop', 'app10', 'app2']);
  deepEqual(sorted('problems'), ['loop', 'zebra', 'app2', 'app10']);
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

test('names the other apps in trouble, but not for what the app acted on has too', () => {
  const error = (target: string, detail: string) => ({ kind: 'error' as const, target, detail });
  const down = [error('wiki', 'Docker does not answer.'), error('feeds', 'Docker does not answer.')];
  deepEqual(othersInTrouble('wiki', down), []);
  const [other] = othersInTrouble('wiki', [...down, error('vault/web', 'The port is taken.')]);
  deepEqual([other?.app, other?.error], ['vault', 'The port is taken.']);
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
  equal(boxCommand('trash restore', 'wiki'), 'boxgate box trash restore wiki');
  equal(boxCommand('trash restore', "Bob's app"), "boxgate box trash restore 'Bob'\\''s app'");
  equal(boxCommand('trash restore', '-a'), 'boxgate box trash restore -- -a');
  equal(boxCommand('settings undo', 'wiki'), 'boxgate box settings undo wiki');
});

test('names each problem of the backups once, with its apps', () => {
  const trouble = (...problems: (string | undefined)[]) =>
    backupTrouble(
      appLists(
        problems.map((backup_problem, i) => installed(`app${i}`, { backup_problem })),
        [],
      ).installed,
    );
  equal(trouble(undefined, undefined), '');
  const [first, third] = [stubApp('app0').display_name || 'app0', stubApp('app2').display_name || 'app2'];
  equal(trouble('it is full', undefined, 'it is full'), `${first}, ${third}: it is full.`);
  equal(trouble('it is full', undefined, 'it is away'), `${first}: it is full. ${third}: it is away.`);
});

test('"Open" leads to the name with HTTPS, else to a port of the box, else to the public address', () => {
  const publicUrls = ['https://notes.example.org'];
  const open = (more: object, hostname = 'box.local') =>
    bestAddress({ open_urls: [], ...more } as unknown as App, hostname)?.href ?? null;
  const here = { port: 80, label: '', loopback: true };
  for (const [more, href] of [
    [{ open_ports: [], public_urls: [] }, null],
    [{ open_ports: [{ port: 8080, label: '' }], public_urls: publicUrls }, 'http://box.local:8080/'],
    [{ open_ports: [here, { port: 443, label: 'https' }], public_urls: [] }, 'https://box.local:443/'],
    [{ open_ports: [here], public_urls: publicUrls }, 'https://notes.example.org'],
    [{ open_ports: [here], public_urls: [] }, null],
    [
      { open_ports: [here], open_urls: ['https://memos.box.example.org/'], public_urls: publicUrls },
      'https://memos.box.example.org/',
    ],
  ] as const) {
    equal(open(more), href);
  }
  equal(open({ open_ports: [here], public_urls: publicUrls }, 'localhost'), 'http://localhost:80/');
});

test('an app failed unless it runs, starts, waits or was stopped on purpose', () => {
  const fails = (state: string, stateDetail = '', more = {}) =>
    isFailing({ kind: 'installed', state, state_detail: stateDetail, operation: null, ...more } as App);
  for (const state of ['running', 'starting', 'unknown']) equal(fails(state), false);
  for (const state of ['unhealthy', 'restarting', 'not_started']) equal(fails(state), true);
  equal(fails('stopped', 'It stopped with exit code 137.'), true);
  equal(fails('stopped', 'It stopped with exit code 0.'), false);
  equal(fails('not_started', 'Not started yet.'), false);
  equal(fails('running', '', { kind: 'broken' }), true);
  equal(fails('restarting', '', { operation: {} }), false);
});

test('categories are offered from twelve apps on, if there are two', () => {
  const apps = (...kinds: string[]) => kinds.map((category) => ({ category })) as App[];
  const one = (category: string) => ({ category, count: 1 });
  const twelve = Array.from({ length: 10 }, () => '');
  deepEqual(categoriesOf(apps(...twelve, 'Media', 'Files')), [one('Files'), one('Media')]);
  deepEqual(categoriesOf(apps(...twelve, 'Media', 'media', 'MEDIA ')), []);
  const spelt = apps(...twelve, 'Media', 'Files', 'media', ' Media');
  deepEqual(categoriesOf(spelt), [one('Files'), { category: 'Media', count: 3 }]);
  deepEqual(categoriesOf(apps('Media', 'Files')), []);
});

test('ports have their number, udp and label', () => {
  const ports = [80, { port: 53, protocol: 'udp', label: 'DNS' }, { port: 8096, protocol: 'http' }];
  deepEqual(portTexts({ ports }), ['80', '53/udp (DNS)', '8096']);
});
