import assert from 'node:assert/strict';
import { test } from 'node:test';
import { harmless, stopping } from '../../../fakes/traefik/file-cases.ts';
import { harmOf } from './harmful-file.ts';

/** What only running a template would show. */
const notSeen = ['an unknown function of a template'];

test('what the proxy reads has no reason', () => {
  for (const [name, text] of Object.entries(harmless)) assert.equal(harmOf('a.yml', text), null, name);
  assert.equal(harmOf('a.yml', '\uFEFFhttp: {services: {a: {weighted: {services: []}}}}\r\n'), null);
  assert.equal(harmOf('A.TOML', '[http'), null);
});

test('what stops the proxy has one', () => {
  for (const [name, text] of Object.entries(stopping)) {
    assert.equal(harmOf('a.yml', text) === null, notSeen.includes(name), name);
  }
});

test('the reason says what is wrong where', () => {
  const table: [string, string | RegExp][] = [
    ['a: [', /^it is no valid YAML: [^\n]*[^:\n]$/],
    ['a: 1\na: 2\n', /^it is no valid YAML: .*unique/],
    ['just a text', 'it is no map'],
    ['# {{ x', 'it has a template that does not end'],
    ['# {{ x }} {{ y', 'it has a template that does not end'],
    ['HTTP: {}', '"HTTP" has no entries'],
    ['http: {Routers: {}}', '"Routers" of "http" has no entries'],
    ['http: {router: {a: {}}}', '"http" has an unknown field "router"'],
    ['http: {routers: {a: {rools: x}}}', '"a" of "routers" of "http" has an unknown field "rools"'],
    ['http: {routers: {a: {priority: high}}}', '"priority" of "a" of "routers" of "http" is no whole number'],
    ['http: {routers: {a: {rule: 2026-11-21}}}', '"rule" of "a" of "routers" of "http" is a date'],
    [
      'http: {services: {a: {loadBalancer: {servers: [{uri: x}]}}}}',
      '"0" of "servers" of "loadBalancer" of "a" of "services" of "http" has an unknown field "uri"',
    ],
    ['a: "\u0001"', 'it holds control characters'],
  ];
  for (const [text, reason] of table) {
    const found = harmOf('a.yml', text) ?? '';
    if (typeof reason === 'string') assert.equal(found, reason, text);
    else assert.match(found, reason, text);
  }
  assert.equal(harmOf('a.toml', '\u0000'), 'it holds control characters');
});
