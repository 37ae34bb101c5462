import assert from 'node:assert/strict';
import { test } from 'node:test';
import { harmOf } from './harmful-file.ts';

const router = (field: string) => `http:\n  routers:\n    a:\n      rule: Host(\`a.b\`)\n      ${field}\n`;

test('harmless files have no reason', () => {
  for (const text of [
    '',
    '# only comments\n',
    '---\n~\n',
    '{}',
    'http:\n',
    'http:\r\n  routers:\r\n    a: { service: b, RULE: x, tls: {} }\r\n',
    router('priority: 3'),
    'http:\n  services:\n    a: { loadBalancer: { servers: [] } }\n',
    '\uFEFFhttp:\n  middlewares: { a: { b: c } }\n',
    '{"http": {"routers": {"a": {"service": "b"}}}}',
    'unknown: {}\n',
    'http:\n  routers: {}\n  x: "{{ env `A` }}"\n',
    'tcp:\n  routers: { a: { anything: 1 } }\n',
    'a: 1\n---\n: broken: [',
    'http:\n  1: null\n  services: { a: 1 }\n',
  ]) {
    assert.equal(harmOf('a.yml', text), null, text);
  }
  assert.equal(harmOf('a.toml', '[http'), null);
});

test('names what would stop every reload', () => {
  const table: [string, RegExp][] = [
    ['a: [', /^it is no valid YAML: /],
    ['a: 1\na: 2\n', /^it is no valid YAML: .*unique/],
    ['just a text', /^it is no map$/],
    ['- a\n', /^it is no map$/],
    ['http: {}', /^its "http" has no entries$/],
    ['http:\n  routers:\n  services:\n', /^its "http" has no entries$/],
    ['http: ""', /^its "http" has no entries$/],
    ['http: 5', /^its "http" has no entries$/],
    ['tls: {}', /^its "tls" has no entries$/],
    ['HTTP:\n  Routers: {}\n', /^its "routers" has no entries$/],
    ['http:\n  services: {a: null}\n', /^its "services" has no entries$/],
    ['http:\n  router: {a: {}}\n', /^its "http" has an unknown field "router"$/],
    [router('rools: x'), /^its router "a" has an unknown field "rools"$/],
    ['a: "\u0001"', /^it holds control characters$/],
  ];
  for (const [text, reason] of table) assert.match(harmOf('a.yml', text) ?? '', reason, text);
  assert.match(harmOf('a.toml', '\u0000') ?? '', /control/);
});
