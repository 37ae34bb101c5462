import assert from 'node:assert/strict';
import { test } from 'node:test';
import { harmless, stopping } from '../../../fakes/traefik/file-cases.ts';
import { routeFileFault } from './invalid-route-file.ts';

test('accepts files that the proxy reads', () => {
  for (const [name, text] of Object.entries(harmless)) assert.equal(routeFileFault('a.yml', text), null, name);
  assert.equal(routeFileFault('a.yml', '\uFEFFhttp: {services: {a: {weighted: {services: []}}}}\r\n'), null);
  for (const [name, text] of [
    ['A.TOML', '[http'],
    ['a.yml', 'http: {{ nonsense }}'],
  ] as const)
    assert.equal(routeFileFault(name, text), null);
});

/** Templates and the fields of routers and services are left to the proxy. */
const leftToTheProxy = /template|unknown|priority|date|timeout|load balancer|login/;

test('rejects files that stop the proxy by their syntax or an empty section', () => {
  const judged = Object.entries(stopping).filter(([name]) => !leftToTheProxy.test(name));
  assert.ok(judged.length > 15);
  for (const [name, text] of judged) assert.notEqual(routeFileFault('a.yml', text), null, name);
});

test('the reason names the fault and its place', () => {
  const table: [string, string | RegExp][] = [
    ['a: [', /^it is no valid YAML: [^\n]*[^:\n]$/],
    ['a: 1\na: 2\n', /^it is no valid YAML: .*unique/],
    ['a: "x', /^it is no valid YAML: Missing closing " quote at line 1/],
    ['a: *b', /^it is no valid YAML: .*alias.* b$/],
    ['just a text', 'it is no map'],
    ['HTTP: {}', '"HTTP" has no entries'],
    ['http: {Routers: {}}', '"Routers" of "http" has no entries'],
    ['a: "\u0001"', 'it holds control characters'],
  ];
  for (const [text, reason] of table) {
    const found = routeFileFault('a.yml', text) ?? '';
    if (typeof reason === 'string') assert.equal(found, reason, text);
    else assert.match(found, reason, text);
  }
  assert.equal(routeFileFault('a.toml', '\u0000'), 'it holds control characters');
});

test('accepts a file that is nested too deeply for this parser, because the proxy may read it', () => {
  assert.equal(routeFileFault('a.yml', `http: ${'['.repeat(20_000)}${']'.repeat(20_000)}`), null);
  assert.equal(
    routeFileFault('a.yml', Array.from({ length: 3000 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join('')),
    null,
  );
});
