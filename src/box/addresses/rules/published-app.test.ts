import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Container } from '../../engine/rules/container.ts';
import { appContainer } from '../testing/tunnel-in-folder.ts';
import { findApp, nameProblem, type OpenPort } from './published-app.ts';

const memos: OpenPort = {
  ...{ id: 'rt_1', host: 'notes.example.test', port: 5231 },
  ...{ appDirectory: '/apps/memos', service: 'web', containerPort: 8080 },
  ...{ isClosed: false, shut: null, movesTo: null, isTaken: false },
};
/** Published while the app did not run, or by an older version. */
const noted: OpenPort = { ...memos, service: null, containerPort: null };
const at = (port: number, changed: Partial<Container> = {}) => appContainer('/apps/memos', port, changed);
const other = (port: number) => appContainer('/apps/other', port);
const boundTo = (...addresses: string[]) => ({
  published: addresses.map((address) => ({ address, hostPort: 5231, containerPort: 8080, protocol: 'tcp' })),
});
const udp = { address: '', hostPort: 5231, containerPort: 8080, protocol: 'udp' };
const right = { is: 'right', service: 'web', containerPort: 8080 };

const cases: [what: string, app: OpenPort, containers: Container[] | null, finding: object][] = [
  ['the app at its port', memos, [other(80), at(5231)], right],
  ['a paused app at its port', memos, [at(5231, { state: 'paused' })], right],
  ['a container of one run only', memos, [at(5231, { oneOff: true })], { is: 'down' }],
  ['a port of UDP only', memos, [at(0, { published: [udp] })], { is: 'gone' }],
  ['the app at another port', memos, [at(5240)], { is: 'moved', port: 5240 }],
  ['another app at the port, and the app moved', memos, [other(5231), at(5240)], { is: 'moved', port: 5240 }],
  ['another app at the port, and the app stopped', memos, [other(5231), at(5231, { state: 'exited' })], { is: 'down' }],
  ['no container of the app', memos, [other(5231)], { is: 'down' }],
  ['only another service of the app', memos, [at(5231, { service: 'db' })], { is: 'down' }],
  ['two containers of the service', memos, [at(5250), at(5240)], { is: 'moved', port: 5240 }],
  ['the service without the port', memos, [at(5231, { published: [] })], { is: 'gone' }],
  [
    'another port of the same container',
    memos,
    [at(5231, { published: [{ address: '', hostPort: 5231, containerPort: 9000, protocol: 'tcp' }] })],
    { is: 'gone' },
  ],
  ['an address that the gateway does not reach', memos, [at(0, boundTo('127.0.0.1'))], { is: 'local' }],
  ['the address of the tunnel', memos, [at(0, boundTo('127.0.0.1', '10.8.0.2'))], right],
  ['an engine that prints no address', memos, [at(0, boundTo(''))], right],
  ['no answer of Docker', memos, null, { is: 'unknown' }],
  ['a name noted without service, and the app at its port', noted, [at(5231)], right],
  ['a name noted without service, and another app there', noted, [other(5231), at(5240)], { is: 'elsewhere' }],
  ['a name noted without service, and only loopback', noted, [at(0, boundTo('127.0.0.1'))], { is: 'local' }],
  [
    "an app on the host's network",
    noted,
    [at(0, { published: [], isOnHostNetwork: true })],
    { is: 'right', service: null, containerPort: null },
  ],
  [
    "an app on the host's network whose port another app has",
    noted,
    [at(0, { published: [], isOnHostNetwork: true }), other(5231)],
    { is: 'elsewhere' },
  ],
  ['a port of no app', { ...noted, appDirectory: null }, null, { is: 'right', service: null, containerPort: null }],
];
for (const [what, app, containers, finding] of cases) {
  test(`a published name and ${what}`, () => assert.deepEqual(findApp(app, containers, '10.8.0.2'), finding));
}

const shut = 'unverified' as const;
const sentences: [row: OpenPort, containers: Container[] | null, sentence: RegExp | null][] = [
  [memos, [at(5231)], null],
  [{ ...memos, shut }, [at(5231)], /until its port 5231 is opened again; boxgate tunnel heartbeat does it now$/],
  [
    memos,
    [at(5240)],
    /^notes\.example\.test leads nowhere until it follows memos to port 5240; boxgate tunnel heartbeat/,
  ],
  [{ ...memos, shut, movesTo: 5240 }, [], /until it follows memos to port 5240/],
  [
    { ...memos, shut, movesTo: 5240, isTaken: true },
    [at(5240)],
    /somebody else has taken the name; boxgate tunnel unp/,
  ],
  [{ ...memos, isClosed: true }, [at(5231)], /is to be withdrawn, because its app is gone/],
  [{ ...memos, shut: 'changing' }, [at(5231)], /leads nowhere while memos is changed$/],
  [memos, [at(5231, { published: [] })], /because memos does not publish port 8080 of web any more/],
  [memos, [other(5231)], /because web of memos does not run; start it on the box's page$/],
  [noted, [], /because memos does not run/],
  [memos, [at(0, boundTo('127.0.0.1'))], /only on an address that the gateway does not reach; publish it on all/],
  [noted, [at(80)], /does not publish port 5231; boxgate tunnel unpublish notes\.example\.test, then/],
  [memos, null, /leads nowhere while Docker does not answer; start Docker$/],
  [{ ...noted, appDirectory: null }, null, null],
];
for (const [index, [noted, containers, sentence]] of sentences.entries()) {
  test(`why a name leads nowhere, case ${index + 1}: ${sentence}`, () => {
    const problem = nameProblem(noted, findApp(noted, containers, '10.8.0.2'));
    if (sentence === null) assert.equal(problem, null);
    else assert.match(String(problem), sentence);
  });
}

test('a taken name of no app has a sentence too', () => {
  const odd = { ...memos, appDirectory: null, movesTo: 80, isTaken: true };
  assert.match(String(nameProblem(odd, findApp(odd, [], '10.8.0.2'))), /could not follow/);
});
