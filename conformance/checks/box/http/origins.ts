import { rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type Check, check } from '../../../kernel/check.ts';
import { equal, matches, pluck, record, refused, status } from '../../../kernel/expect.ts';
import { library } from '../apps.ts';
import type { BoxContext } from '../context.ts';

const missing = "missing or empty 'name' field";
const post = '/api/nowhere';

export const checks: Check<BoxContext>[] = [
  check(
    'box/origins/sec-fetch-site',
    ['choice/box/20'],
    'refuses a POST whose Sec-Fetch-Site is neither same-origin nor none',
    async (box) => {
      for (const site of ['cross-site', 'same-site', '', 'Same-Origin', 'x']) {
        refused(await box.post(post, {}, { 'Sec-Fetch-Site': site }), 403);
      }
      for (const site of ['same-origin', 'none']) {
        refused(await box.post(post, {}, { 'Sec-Fetch-Site': site, Origin: 'http://evil.example' }), 400, missing);
      }
    },
    { shared: library },
  ),
  check(
    'box/origins/origin',
    ['choice/box/21'],
    'refuses a POST whose Origin matches neither Host nor X-Forwarded-Host',
    async (box) => {
      const host = { Host: 'box.local' };
      for (const origin of [
        'http://evil.example',
        'null',
        'http://box.local.evil.example',
        'https://evil.local',
        'xhttp://box.local',
        'box.local',
        'http://box local',
        '',
      ]) {
        refused(await box.post(post, {}, { ...host, Origin: origin }), 403);
      }
      for (const words of ['%', ',', 'box.lan', '']) {
        const forwarded = { ...host, 'X-Forwarded-Host': words, Origin: 'http://evil.example' };
        refused(await box.post(post, {}, forwarded), 403);
      }
      refused(await box.post(post, {}, { ...host, Origin: 'http://box.local' }), 400, missing);
      const forwarded = { ...host, Origin: 'https://attic.lan' };
      for (const words of ['attic.lan', 'a.example, attic.lan', ' attic.lan , b.example', 'attic.lan:443'])
        refused(await box.post(post, {}, { ...forwarded, 'X-Forwarded-Host': words }), 400, missing);
      // Without a port, the default of the scheme applies.
      for (const [scheme, port] of [
        ['https', 443],
        ['http', 80],
        ['HTTP', 80],
      ] as const) {
        const named = { Host: `box.local:${port}`, Origin: `${scheme}://box.local` };
        refused(await box.post(post, {}, named), 400, missing);
        refused(await box.post(post, {}, { ...named, Host: 'box.local:8443' }), 403);
      }
    },
    { shared: library },
  ),
  check(
    'box/origins/proxy-on-loopback',
    ['choice/box/22'],
    "accepts an Origin with one of the box's names if a proxy has put the loopback address into Host",
    async (box) => {
      await box.get('/api/apps'); // Now the port of the box is known.
      const { port } = box.subject();
      const own = ['http://box.local', `http://${hostname()}`, 'http://localhost', 'https://127.0.0.1'];
      own.push('http://box.local:80', 'https://box.local:443', `http://box.local:${port}`);
      const otherPorts = ['http://box.local:8096', 'http://127.0.0.1:1', 'https://localhost:80', 'http://[::1]:443'];
      for (const host of ['127.0.0.1:7000', '127.1.2.3', 'localhost', 'a.localhost:7000', '[::1]:7000']) {
        for (const origin of own) refused(await box.post(post, {}, { Host: host, Origin: origin }), 400, missing);
        for (const origin of ['http://evil.example', 'http://203.0.113.9', 'http://.', 'null', ...otherPorts])
          refused(await box.post(post, {}, { Host: host, Origin: origin }), 403);
      }
      for (const host of ['10.1.2.3', '[fe80::1]', 'attic', 'localhost.lan'])
        refused(await box.post(post, {}, { Host: host, Origin: 'http://box.local' }), 403);
    },
    { shared: library },
  ),
  check(
    'box/origins/tunnel-address',
    ['choice/box/200'],
    'accepts no command under its tunnel address, while it has one',
    async (box) => {
      box.environment.placeInstalled({ name: 'cairn' });
      await box.start();
      const config = join(box.environment.stateDir, 'tunnel.conf');
      const settings = '/api/apps/cairn/settings';
      const hosts = ['10.99.0.2', '10.99.0.2:7000', '[fd42:99::2]', '[FD42:99:0::2]:80'];
      for (const Host of hosts) refused(await box.post(post, {}, { Host }), 400, missing);
      writeFileSync(
        config,
        '[Interface]\nPrivateKey = x\n  address=10.99.0.2/24 , fd42:99:0:0::2/64\n[Peer]\nAllowedIPs = 10.99.0.1/32\n',
      );
      for (const Host of hosts) {
        const Origin = `http://${Host}`;
        refused(await box.post(post, {}, { Host }), 421);
        refused(await box.post(post, {}, { Host: 'localhost', 'X-Forwarded-Host': `a.example, ${Host}` }), 421);
        refused(await box.get(settings, { Host }), 421);
        refused(await box.post(post, {}, { Host: 'localhost', Origin }), 403);
        refused(await box.post(post, {}, { Host: 'localhost', Origin, 'Sec-Fetch-Site': 'same-origin' }), 403);
        status(await box.get('/api/apps', { Host }), 200);
      }
      for (const Host of ['10.99.0.1', '10.99.0.20', '127.0.0.1', '[fd42:99::3]'])
        refused(await box.post(post, {}, { Host, Origin: `http://${Host}` }), 400, missing);
      rmSync(config);
      for (const Host of hosts) refused(await box.post(post, {}, { Host }), 400, missing);
    },
  ),
  check(
    'box/origins/plain-clients',
    ['choice/box/23', 'choice/box/168'],
    'accepts clients that send none of these headers, and refuses web pages with a forged host',
    async (box) => {
      refused(await box.post(post, {}), 400, missing);
      const asked = [
        ['HTTP/1.0', '', 400],
        ['HTTP/1.1', 'Host:\r\n', 400],
        ['HTTP/1.0', 'Origin: http://box.local\r\n', 403],
        ['HTTP/1.1', 'Host:\r\nOrigin: http://box.local\r\n', 403],
      ] as const;
      for (const [version, headers, expected] of asked) {
        const { responses } = await box.raw({
          parts: [`POST ${post} ${version}\r\n${headers}Content-Length: 2\r\n\r\n{}`],
        });
        equal(`status of ${version} with ${JSON.stringify(headers)}`, responses[0]?.status, expected);
        if (expected === 400) matches('what is said', responses[0]?.text, /missing or empty 'name' field/);
      }
    },
    { shared: library },
  ),
  check(
    'box/origins/foreign-host',
    ['choice/box/24'],
    'answers 421 to a POST and to settings under a foreign Host, and names the flag',
    async (box) => {
      for (const host of [
        'evil.example',
        'evil.example:80',
        'local.evil.example',
        'box.local.example',
        'notlocal.example',
        '10.1.2.256',
        '10.1.2.3.4',
        '10.1.2.x3',
        '10.1.2.0010',
        '10.1.2.1e1',
        '.',
        '[::1',
        'box.local:x',
      ]) {
        for (const answer of [
          await box.post(post, {}, { Host: host }),
          await box.post('/api/apps/install', '{', { Host: host }),
          await box.get('/api/apps/cairn/settings', { Host: host }),
        ]) {
          refused(answer, 421);
          matches('error', record(answer).error, /--allowed-host/);
        }
        refused(await box.get('/nowhere', { Host: host }), 404);
      }
    },
    { shared: library },
  ),
  check(
    'box/origins/own-hosts',
    ['choice/box/25'],
    'answers under every name and address that an outsider cannot take over',
    async (box) => {
      const names = [
        'box.local',
        'box.lan',
        'box.home',
        'box.internal',
        'a.home.arpa',
        'box.localdomain',
        'x.localhost',
      ];
      const more = ['box.fritz.box', 'box.tail1.ts.net', 'localhost:7000', 'attic', 'ATTIC.LOCAL', hostname()];
      for (const host of [
        ...names,
        ...more,
        '10.1.2.3',
        '10.1.2.3:80',
        '192.168.255.255',
        '[::1]',
        '[fe80::1]:7000',
        '[FE80::2]',
        '[::ffff:10.1.2.3]',
        'box.local.',
      ]) {
        status(await box.get('/api/apps/cairn/settings', { Host: host }), 200);
      }
    },
    { shared: library },
  ),
  check(
    'box/origins/allowed-hosts',
    ['box/process/7'],
    'answers under the hosts that BOX_ALLOWED_HOSTS names',
    async (box) => {
      box.environment.placeInstalled({ name: 'cairn' });
      await box.start({ env: { BOX_ALLOWED_HOSTS: 'apps.example.org,other.example.net' } });
      for (const host of ['apps.example.org', 'other.example.net:8443']) {
        status(await box.get('/api/apps/cairn/settings', { Host: host }), 200);
        refused(await box.post(post, {}, { Host: host }), 400, missing);
      }
    },
  ),
  check(
    'box/origins/open-reads',
    ['choice/box/27'],
    'answers the page, the lists and the self-update status under any host',
    async (box) => {
      for (const path of ['/', '/apps', '/api/apps', '/api/bundled', '/api/self/update/status']) {
        status(await box.get(path, { Host: 'evil.example', Origin: 'http://evil.example' }), 200);
      }
    },
    { shared: library },
  ),
  check(
    'box/origins/order',
    ['choice/box/13'],
    'checks host, site, size, body, path and fields in this order',
    async (box) => {
      const foreign = { Host: 'evil.example' };
      const cross = { 'Sec-Fetch-Site': 'cross-site' };
      const long = 'x'.repeat(1048577);
      const seen = [
        await box.post('/nowhere', long, { ...foreign, ...cross }),
        await box.post('/nowhere', long, cross),
        await box.post('/nowhere', long),
        await box.post('/nowhere', '{'),
        await box.post('/api/apps//settings', {}),
        await box.post('/api/apps/nobody/settings', {}),
        await box.post('/api/apps/nobody/settings', { settings: {} }),
      ];
      equal('the statuses', pluck(seen, 'status'), [421, 403, 413, 400, 400, 400, 404]);
      const nameless = { name: '', settings: 'bad' };
      refused(await box.post('/api/apps//settings', nameless), 400, 'invalid app name');
      refused(await box.post('/api/apps/nobody/settings', nameless), 400, "missing or invalid 'settings' object");
      refused(await box.post('/api/apps/install', nameless), 400, missing);
      refused(
        await box.post('/api/apps/install', { ...nameless, name: 'nobody' }),
        400,
        "'settings' must be an object",
      );
    },
    { shared: library },
  ),
];
