import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import type { PublishedBox } from '../ports.ts';
import { boxIdOfRouteFile, type RouteFileOptions, routeFileName, routeFileText } from './route-file.ts';

const options: RouteFileOptions = { domain: 'example.org', entrypoint: 'websecure', certResolver: null };
const route = (id: string, subdomain: string, port: number) => ({
  id,
  boxId: 'box_1',
  accountId: 'acc_1',
  appName: 'Any `"{{ name',
  subdomain,
  port,
});
const box: PublishedBox = {
  boxId: 'box_1',
  address: '10.8.0.2',
  routes: [route('rt_b', 'notes', 8080), route('rt_a', 'photos', 65535)],
};

test('choice/gateway/94: a router and a service for each route, in their order, byte for byte', () => {
  assert.equal(
    routeFileText(box, options),
    `http:
  routers:
    boxgate-rt_b:
      entryPoints: ["websecure"]
      rule: "Host(\`notes.example.org\`)"
      priority: 1000
      service: boxgate-rt_b
      tls: {}
    boxgate-rt_a:
      entryPoints: ["websecure"]
      rule: "Host(\`photos.example.org\`)"
      priority: 1000
      service: boxgate-rt_a
      tls: {}
  services:
    boxgate-rt_b:
      loadBalancer:
        serversTransport: boxgate-box_1
        servers:
          - url: "http://10.8.0.2:8080"
    boxgate-rt_a:
      loadBalancer:
        serversTransport: boxgate-box_1
        servers:
          - url: "http://10.8.0.2:65535"
  serversTransports:
    boxgate-box_1:
      maxIdleConnsPerHost: 200
      forwardingTimeouts:
        dialTimeout: "8s"
        responseHeaderTimeout: "120s"
        idleConnTimeout: "4s"
`,
  );
});

test('choice/gateway/94: names the certificate resolver if there is one', () => {
  const text = routeFileText(box, { ...options, certResolver: 'le' }) ?? '';
  const { http } = parse(text);
  assert.deepEqual(http.routers['boxgate-rt_b'], {
    entryPoints: ['websecure'],
    rule: 'Host(`notes.example.org`)',
    priority: 1000,
    service: 'boxgate-rt_b',
    tls: { certResolver: 'le' },
  });
});

const access = {
  login: 'ada',
  password_hash: `$2b$04$${'a'.repeat(53)}`,
  allow: ['203.0.113.0/24', '2001:db8::/32'],
  open_paths: ['/ping', '/api/*'],
};

test('a route with access rules has middlewares, and a router for paths without a login', () => {
  const { http } = parse(routeFileText({ ...box, routes: [{ ...route('rt_a', 'a', 1), access }] }, options) ?? '');
  const shared = { entryPoints: ['websecure'], service: 'boxgate-rt_a', tls: {} };
  assert.deepEqual(http.routers, {
    'boxgate-rt_a': {
      ...{ ...shared, rule: 'Host(`a.example.org`)', priority: 1000 },
      middlewares: ['boxgate-rt_a-allow', 'boxgate-rt_a-login'],
    },
    'boxgate-rt_a-open': {
      ...shared,
      rule: "Host(`a.example.org`) && (Path(`/ping`) || PathPrefix(`/api/`)) && PathRegexp(`^([.]?([A-Za-z0-9_~!$&'()*+,=:@/-]|%(2[146-9A-C]|3[AD]|40))[ \\p{L}\\p{M}\\p{Nd}]*)*[.]?$`)",
      priority: 1001,
      middlewares: ['boxgate-rt_a-allow'],
    },
  });
  assert.deepEqual(http.middlewares, {
    'boxgate-rt_a-allow': { ipAllowList: { sourceRange: access.allow } },
    'boxgate-rt_a-login': { basicAuth: { removeHeader: true, users: [`ada:${access.password_hash}`] } },
  });
});

test('each access rule stands alone, and without one there is no middleware', () => {
  const { login, password_hash, allow } = access;
  for (const [rules, expected] of [
    [{ login, password_hash }, ['boxgate-rt_a-login']],
    [{ allow }, ['boxgate-rt_a-allow']],
    [{}, undefined],
  ] as const) {
    const routes = [{ ...route('rt_a', 'a', 1), access: rules }];
    const { http } = parse(routeFileText({ ...box, routes }, options) ?? '');
    assert.deepEqual(http.routers['boxgate-rt_a'].middlewares, expected);
    assert.deepEqual(http.middlewares && Object.keys(http.middlewares), expected);
  }
});

test('every value is a string, whatever it looks like', () => {
  const { http } = parse(routeFileText(box, { domain: '1.2', entrypoint: '443', certResolver: 'null' }) ?? '');
  assert.deepEqual(http.routers['boxgate-rt_b'].entryPoints, ['443']);
  assert.deepEqual(http.routers['boxgate-rt_b'].tls, { certResolver: 'null' });
});

test('choice/gateway/90: a box without routes has no text', () => {
  assert.equal(routeFileText({ ...box, routes: [] }, options), null);
});

test('rejects characters that end a value or begin a template', () => {
  for (const bad of ['', 'a`b', 'a"b', "a'b", 'a\nb', 'a\rb', '{{a', 'a b', 'a:b', 'a#b', 'ä', '\u2028']) {
    const guarded = { ...route('rt_a', 'a', 1), access };
    const withRule = (rule: object) => ({ ...box, routes: [{ ...guarded, access: { ...access, ...rule } }] });
    const places: [PublishedBox, RouteFileOptions][] = [
      [{ ...box, address: bad }, options],
      [{ ...box, boxId: bad }, options],
      [{ ...box, routes: [route(bad, 'a', 1)] }, options],
      [{ ...box, routes: [route('rt_a', `a${bad} `, 1)] }, options],
      [box, { ...options, domain: ` ${bad}` }],
      [box, { ...options, entrypoint: bad }],
      [box, { ...options, certResolver: bad }],
      [withRule({ login: bad }), options],
      [withRule({ password_hash: ` ${bad}` }), options],
      [withRule({ allow: [` ${bad}`] }), options],
      [withRule({ open_paths: [`/ ${bad}`] }), options],
    ];
    for (const [published, given] of places) {
      assert.throws(() => routeFileText(published, given), /cannot be in a route file/);
    }
  }
});

test('choice/gateway/90: recognizes route files by their names', () => {
  assert.equal(routeFileName('box_1'), 'boxgate-box_1.yml');
  assert.equal(boxIdOfRouteFile(routeFileName('box_1')), 'box_1');
  for (const name of ['boxgate-.yml', 'boxgate-box_1.yaml', 'mine.yml', '.boxgate']) {
    assert.equal(boxIdOfRouteFile(name), undefined, name);
  }
});
