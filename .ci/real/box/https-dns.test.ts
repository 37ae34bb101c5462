import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { connect } from 'node:tls';
import { askSecurely as ask, ownSites, plainPage, startCaddyBox, startConsole } from '../support/programs/caddy.ts';
import { startNameServer } from '../support/programs/name-server.ts';
import { registry } from '../support/programs/registry.ts';
import { required } from '../support/required.ts';
import { freePort } from '../support/server-process.ts';
import { until } from '../support/until.ts';

/** Certificates by lego from a real authority for tests, Pebble, and their renewal. */
const domain = 'box.example.org';
const app = 'real-dns';
const host = `${app}.${domain}`;
const programs = join(required('BOXGATE_CI_SCRATCH'), 'lego/usr/bin');

/** A Pebble, its name server, and the script with which lego makes a record there. */
async function startPebble(t: TestContext, folder: string) {
  mkdirSync(folder);
  const [dns, manage, acme, roots] = [await freePort(), await freePort(), await freePort(), await freePort()];
  const file = (name: string, text = '') => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const [certificate, key] = [join(folder, 'tls.pem'), join(folder, 'tls.key')];
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
      ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
      ...['-keyout', key, '-out', certificate],
    ],
    { stdio: 'ignore' },
  );
  const config = {
    listenAddress: `127.0.0.1:${acme}`,
    managementListenAddress: `127.0.0.1:${roots}`,
    ...{ certificate, privateKey: key, httpPort: 80, tlsPort: 443, ocspResponderURL: '' },
  };
  const start = (program: string, args: string[], env = {}) => {
    const child = spawn(join(programs, program), args, { env: { ...process.env, ...env }, stdio: 'ignore' });
    t.after(() => child.kill());
  };
  const none = ['-http01', '', '-https01', '', '-tlsalpn01', '', '-doh', ''];
  start('pebble-challtestsrv', ['-dnsserver', `127.0.0.1:${dns}`, '-management', `127.0.0.1:${manage}`, ...none]);
  const args = ['-config', file('pebble.json', JSON.stringify({ pebble: config })), '-dnsserver', `127.0.0.1:${dns}`];
  start('pebble', args, { PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '0' });
  const script = `#!/bin/sh
case $1 in
present) exec curl -fsS -d "{\\"host\\":\\"$2\\",\\"value\\":\\"$3\\"}" http://127.0.0.1:${manage}/set-txt ;;
*) exec curl -fsS -d "{\\"host\\":\\"$2\\"}" http://127.0.0.1:${manage}/clear-txt ;;
esac
`;
  chmodSync(file('record.sh', script), 0o755);
  const root = () =>
    new Promise<string>((resolve) => {
      get({ host: '127.0.0.1', port: roots, path: '/roots/0', ca: readFileSync(certificate) }, async (response) => {
        let text = '';
        for await (const chunk of response) text += chunk;
        resolve(text);
      }).on('error', () => resolve(''));
    });
  await until('Pebble answers', async () => (await root()) !== '');
  const lines = [
    `EXEC_PATH=${join(folder, 'record.sh')}`,
    'EXEC_SEQUENCE_INTERVAL=1',
    `LEGO_CA_CERTIFICATES=${certificate}`,
  ];
  const resolver = `127.0.0.1:${dns}`;
  return {
    resolver,
    directory: `https://127.0.0.1:${acme}/dir`,
    root: await root(),
    variables: `${lines.join('\n')}\n`,
  };
}

function fingerprint(servername: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: 443, servername, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.end();
    });
    socket.on('error', reject);
  });
}

test('a certificate of an authority covers the page and the apps, and is renewed', async (t) => {
  const compose = `services: { web: { image: "${registry}/web:1", ports: ["${await freePort()}:8080"] } }`;
  const caddyBox = await startCaddyBox(t, { [app]: { compose } }, `${programs}:`);
  const { box, caddyfile, https } = caddyBox;
  const pebble = await startPebble(t, join(box.folder, 'pebble'));
  assert.equal((await box.install(app)).status, 200);
  const resolver = await startNameServer(t, { [domain]: '127.0.0.1' });
  const setup = (...more: string[]) =>
    https('setup', '--resolver', resolver, '--caddyfile', caddyfile, '--domain', domain, ...more);
  const authority = ['--acme-server', pebble.directory, '--acme-resolver', pebble.resolver];
  const variables = join(box.folder, 'https.env');
  const dns = ['--dns', 'exec', '--dns-variables', variables, '--email', 'owner@example.org', ...authority];

  const unknown = await setup('--dns', 'nosuch', '--email', 'owner@example.org');
  assert.match(unknown.text, /lego says: .*nosuch[\s\S]*nothing was changed/);
  const without = await setup(...dns);
  assert.match(without.text, /there is no .*\/https\.env: write the variables of exec[\s\S]*nothing was changed/);

  const console = await startConsole(t, caddyBox, { BOX_HTTPS_ACME_SERVER: pebble.directory });
  const asked = { domain, resolver, certificate: 'dns', email: 'owner@example.org' };
  const listed = 'HTTPREQ_ENDPOINT=http://127.0.0.1:9\nHTTPREQ_PASSWORD=correct-horse';
  for (const [dns, credentials, answer] of [
    ['httpreq', '', /are missing, as lines NAME=value: HTTPREQ_ENDPOINT, HTTPREQ_MODE\n/],
    ['httpreq', `${listed}\nLD_PRELOAD=/x`, /^LD_PRELOAD is no credential of httpreq/],
    ['exec', 'EXEC_PATH=/bin/sh', /^the credentials of exec are files/],
    // Listed ones are taken, and lego begins: it does not know this authority's own certificate.
    ['httpreq', listed, /lego says: .*x509/],
  ] as const) {
    const { text } = await console.act('https/setup', { ...asked, dns, credentials });
    assert.match(text, answer);
    assert.match(text, /nothing was changed$/);
  }
  assert.equal(existsSync(join(box.state, 'https-dns.env')), false);

  writeFileSync(variables, pebble.variables, { mode: 0o600 });
  const done = await setup(...dns);
  assert.equal(done.status, 0, done.text);
  assert.equal((await ask(pebble.root, host)).text.trim(), 'web 1');
  assert.match((await ask(pebble.root, domain, '/apps')).text, /<title>/);
  const file = join(box.state, 'https', 'certificate.pem');
  assert.equal(statSync(file).mode & 0o777, 0o640);

  const first = readFileSync(file, 'utf8');
  assert.match((await https('renew')).text, /not due yet/);
  assert.equal((await setup()).status, 0, 'a second run needs no flags about certificates');
  assert.equal(readFileSync(file, 'utf8'), first);

  // Without the certificate of before, lego gets another one.
  const served = await fingerprint(host);
  rmSync(join(box.state, 'https-acme'), { recursive: true });
  assert.match((await https('renew')).text, /was renewed/);
  await until('Caddy serves the new one', async () => (await fingerprint(host)) !== served);

  assert.equal((await https('off')).status, 0);
  assert.equal(readFileSync(caddyfile, 'utf8'), ownSites);
  assert.equal(await plainPage(), 'plain');
});
