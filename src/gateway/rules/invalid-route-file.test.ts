import assert from 'node:assert/strict';
import { test } from 'node:test';
import { harmless, stopping } from '../../../fakes/traefik/file-cases.ts';
import { routeFileFault } from './invalid-route-file.ts';

test('accepts files that the proxy reads', () => {
  for (const [name, text] of Object.entries(harmless)) assert.equal(routeFileFault('a.yml', text), null, name);
  assert.equal(routeFileFault('a.yml', '\uFEFFhttp: {services: {a: {weighted: {services: []}}}}\r\n'), null);
  assert.equal(routeFileFault('A.TOML', '[http'), null);
});

test('rejects files that stop the proxy', () => {
  for (const [name, text] of Object.entries(stopping)) {
    assert.notEqual(routeFileFault('a.yml', text), null, name);
  }
});

test('the reason names the fault and its place', () => {
  const table: [string, string | RegExp][] = [
    ['a: [', /^it is no valid YAML: [^\n]*[^:\n]$/],
    ['a: 1\na: 2\n', /^it is no valid YAML: .*unique/],
    ['a: "x', /^it is no valid YAML: Missing closing " quote at line 1/],
    ['a: *b', /^it is no valid YAML: .*alias.* b$/],
    ['just a text', 'it is no map'],
    ['# {{ env', 'it has a template that does not end'],
    ['# {{ .x }} {{ .y', 'it has a template that does not end'],
    ['# {{ "x }}', 'it has a template that does not end'],
    ['# {{ ` }}', 'it has a template that does not end'],
    ['# {{ /*/ }}', 'it has a template that does not end'],
    ['http: {{ nonsense }}', 'it has a template with "nonsense", which is not a function of the proxy'],
    ['HTTP: {}', '"HTTP" has no entries'],
    ['http: {Routers: {}}', '"Routers" of "http" has no entries'],
    ['http: {router: {a: {}}}', '"http" has an unknown field "router"'],
    ['http: {routers: {a: {rools: x}}}', '"a" of "routers" of "http" has an unknown field "rools"'],
    ['http: {routers: {a: {priority: high}}}', '"priority" of "a" of "routers" of "http" is no whole number'],
    [
      'http: {serversTransports: {t: {forwardingTimeouts: {dialTimeout: soon}}}}',
      '"dialTimeout" of "forwardingTimeouts" of "t" of "serversTransports" of "http" is no duration',
    ],
    ['http: {routers: {a: {rule: 2026-11-21}}}', '"rule" of "a" of "routers" of "http" is a date'],
    [
      'http: {services: {a: {loadBalancer: {servers: [{uri: x}]}}}}',
      '"0" of "servers" of "loadBalancer" of "a" of "services" of "http" has an unknown field "uri"',
    ],
    ['a: "\u0001"', 'it holds control characters'],
  ];
  for (const [text, reason] of table) {
    const found = routeFileFault('a.yml', text) ?? '';
    if (typeof reason === 'string') assert.equal(found, reason, text);
    else assert.match(found, reason, text);
  }
  assert.equal(routeFileFault('a.toml', '\u0000'), 'it holds control characters');
});

test('accepts templates with known words only', () => {
  const templates = [
    '{{ range $i, $e := until 0x3 }}{{ $e.Name | printf "%d }} {{ nonsense" | upper }}{{ else }}{{ end }}',
    "{{- /* nonsense }} */ -}} {{ index .x 'n' }}",
    '{{ `nonsense }}` | default "\\" nonsense" }}',
    '{{ define "x" }}{{ end }}{{ template "x" (split "," .list) }}',
  ];
  for (const text of templates) assert.equal(routeFileFault('a.toml', text), null, text);
  assert.notEqual(routeFileFault('a.toml', '{{ if false }}{{ "" | nonsense }}{{ end }}'), null);
});

test('takes linear time', () => {
  const shapes: ((size: number) => string)[] = [
    (size) => `${'{{'.repeat(size)}}}`,
    (size) => `{{${'"\\'.repeat(size)}`,
    (size) => `{{${'/*'.repeat(size)}*/}}`,
    (size) => `{{${'"'.repeat(size)}`,
    (size) => '{{""}}'.repeat(size),
    (size) => `{{${'`'.repeat(size)}}}`,
  ];
  const timeOf = (text: string) => {
    const times = Array.from({ length: 5 }, () => {
      const start = process.cpuUsage();
      routeFileFault('a.yml', text);
      const { user, system } = process.cpuUsage(start);
      return user + system;
    });
    return Math.min(...times);
  };
  for (const shape of shapes) {
    // For eight times the text, a quadratic parser takes sixty-four times as long.
    const [small, large] = [timeOf(shape(8_000)), timeOf(shape(64_000))];
    assert.ok(large < 24 * Math.max(small, 500), `${shape(2)}: ${small} µs, then ${large} µs`);
  }
});

test('accepts a file that is nested too deeply for this parser, because the proxy may read it', () => {
  assert.equal(routeFileFault('a.yml', `http: ${'['.repeat(20_000)}${']'.repeat(20_000)}`), null);
  assert.equal(
    routeFileFault('a.yml', Array.from({ length: 3000 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join('')),
    null,
  );
});
