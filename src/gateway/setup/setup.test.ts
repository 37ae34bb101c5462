import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../lib/testing/temporary-folder.ts';
import { places, setUp, takeBack } from './setup.ts';
import { inTurn, newerInstalled } from './setup-command.ts';
import { SetupFailed, type SetupRequest } from './setup-ports.ts';
import { FakeServer, PowerCut, request } from './testing/fake-server.ts';

const { real, trial } = request.authority;

function make(change: (server: FakeServer) => void = () => undefined): FakeServer {
  const server = new FakeServer();
  change(server);
  return server;
}

const run = (server: FakeServer, more: Partial<SetupRequest> = {}) => setUp(server.ports, { ...request, ...more });

/** The state that every way to a gateway ends in. */
function stateOf({ files, running, certificateOf, managerPassword }: FakeServer) {
  return { files: new Map([...files].sort()), running: [...running].sort(), certificateOf, managerPassword };
}

async function finished(): Promise<FakeServer> {
  const server = make();
  assert.equal((await run(server)).status, 0);
  return server;
}

test('brings up a whole gateway, with a certificate for trials before the one that counts', async () => {
  const server = make();
  const { status, text } = await run(server);
  assert.equal(status, 0, text);
  assert.deepEqual(server.certificatesMade, [trial, real]);
  assert.deepEqual(server.storages, ['trial/acme.json', 'acme.json']);
  assert.deepEqual([...server.running].sort(), ['gateway', 'traefik', 'wg-easy']);
  assert.match(server.files.get(places.settings) ?? '', /^GATEWAY_DOMAIN=my\.org\n#GATEWAY_BOX_LIMIT=10\n$/);
  assert.match(text, /tunnel join --gateway https:\/\/gateway\.my\.org --name NAME$/);
  assert.doesNotMatch(text + server.said.join('\n'), /generated-secret/);
  for (const path of [places.settings, places.password, places.variables, places.dns]) {
    assert.equal(server.modes.get(path), 0o600, path);
  }
});

test('an authority without an address for trials is asked once', async () => {
  const server = make();
  assert.equal((await run(server, { authority: { real, trial: null } })).status, 0);
  assert.deepEqual(server.certificatesMade, [real]);
});

test('a DNS provider gets one certificate for all names', async () => {
  const server = make();
  const shipped = readFileSync(join(import.meta.dirname, '../../../deploy/gateway/gateway-api.yml'), 'utf8');
  server.ports.files.shipped = () => shipped;
  assert.equal((await run(server, { dnsProvider: 'hetzner' })).status, 0);
  assert.match(
    server.files.get(places.route) ?? '',
    /^ {8}domains: \[\{ main: '\*\.\{\{ env "GATEWAY_DOMAIN" \}\}' \}\]$/m,
  );
  assert.equal(server.variable('ACME_DNS_PROVIDER'), 'hetzner');
  assert.equal((await run(server)).status, 0);
  assert.match(server.files.get(places.route) ?? '', /^ {8}#domains: /m);
});

test("the name of the tunnels is reserved where it is below the domain, and an operator's list stays", async () => {
  for (const [publicHost, before, expected] of [
    ['vpn.my.org', '', /^GATEWAY_RESERVED_SUBDOMAINS=vpn$/m],
    ['vpn.my.org', 'GATEWAY_RESERVED_SUBDOMAINS=www\n', /^GATEWAY_RESERVED_SUBDOMAINS=www$/m],
    ['203.0.113.5', '', /^GATEWAY_DOMAIN=my\.org\n$/],
    ['vpn.other.org', '', /^GATEWAY_DOMAIN=my\.org\n$/],
    ['a.vpn.my.org', '', /^GATEWAY_DOMAIN=my\.org\n$/],
  ] as const) {
    const server = make((one) => one.files.set(places.settings, before));
    assert.equal((await run(server, { publicHost })).status, 0);
    assert.match(server.files.get(places.settings) ?? '', expected, publicHost);
  }
});

test('--check changes nothing', async () => {
  const server = make();
  assert.deepEqual(await run(server, { checkOnly: true }), { status: 0, text: 'this server can become a gateway' });
  assert.equal(server.changes, 0);
});

test('a bad day before anything is touched ends with its sentence, and the next run works', async () => {
  const facts = (change: object) => (server: FakeServer) => {
    server.facts = { ...server.facts, ...change };
  };
  const leading = (addresses: readonly string[]) => (server: FakeServer) => {
    server.addresses = [addresses];
  };
  for (const [day, said] of [
    [facts({ listeners: [{ protocol: 'tcp', address: '*', port: 443, holder: 'nginx' }] }), /^port 443\/tcp.*nginx/],
    [facts({ engine: null }), /^Docker Engine does not answer/],
    [facts({ freeBytes: 1 }), /^the disk has 0 MiB left/],
    [facts({ authority: { aheadMs: 9e9 } }), /^the clock of this server/],
    [facts({ authority: { problem: 'acme.test (EAI_AGAIN)' } }), /^the certificate authority is not reached/],
    [leading([]), /^gateway\.my\.org has no address/],
    [leading(['198.51.100.7']), /^gateway\.my\.org leads to 198\.51\.100\.7/],
    [leading(['2001:db8::9']), /^gateway\.my\.org leads to 2001:db8::9/],
    [leading(['203.0.113.5', '198.51.100.7']), /one of its 2 addresses/],
  ] as [(server: FakeServer) => void, RegExp][]) {
    const server = make(day);
    const { status, text } = await run(server);
    assert.equal(status, 1);
    assert.match(text, said);
    assert.match(text, /nothing has been changed; run this again when that is done$/);
    assert.equal(server.changes, 0);
    const { facts: goodFacts, addresses } = make();
    server.facts = goodFacts;
    server.addresses = addresses;
    assert.equal((await run(server)).status, 0);
    assert.deepEqual(stateOf(server), stateOf(await finished()));
  }
});

test('waits for the record, which it shows once', async () => {
  const server = make((one) => {
    one.addresses = [[], [], ['198.51.100.7'], ['203.0.113.5']];
  });
  assert.equal((await run(server)).status, 0);
  const waiting = server.said.filter((line) => line.includes('waiting for it'));
  assert.equal(waiting.length, 2, waiting.join('\n'));
  assert.match(waiting[0] ?? '', /\*\.my\.org {2}A {2}203\.0\.113\.5/);
});

test('takes a public address that its operator names, or that leads back here', async () => {
  const elsewhere = (server: FakeServer) => {
    server.addresses = [['198.51.100.7']];
  };
  assert.equal((await run(make(elsewhere), { publicHost: '198.51.100.7' })).status, 0);
  for (const publicHost of ['10.0.0.2', '100.64.0.1', 'fd00::1']) {
    const { status, text } = await run(make(), { publicHost });
    assert.deepEqual(
      [status, text.includes(`boxes do not reach --public-host ${publicHost}, an address of no`)],
      [1, true],
    );
  }
  const proven = make(elsewhere);
  proven.proven = ['198.51.100.7'];
  assert.equal((await run(proven)).status, 0);
  const inUse = make(elsewhere);
  inUse.proven = null;
  assert.equal((await run(inUse)).status, 0);
  assert.match(inUse.said.join('\n'), /is not looked at, because another program uses port 80/);
});

test('a step that fails ends with its sentence, and the next run works', async () => {
  for (const [failures, said] of [
    [{ pull: 'docker compose pull: manifest unknown' }, /^docker compose pull: manifest unknown$/m],
    [{ install: 'sh install.sh gateway: boxgate did not come up' }, /did not come up/],
    [
      {
        certificate:
          'Unable to obtain ACME certificate error="acme: error: 429 :: urn:ietf:params:acme:error:rateLimited :: retry after 12:00"',
      },
      /^no certificate for gateway\.my\.org: a limit of the authority.*retry after 12:00/,
    ],
    [
      { certificate: 'Unable to obtain ACME certificate error="dial tcp: no such host"', authority: real },
      /^no certificate for gateway\.my\.org: this server does not reach the authority/,
    ],
    [{ certificate: 'nothing to see' }, /^the certificate is not there after 5 minutes/],
  ] as const) {
    const server = make((one) => {
      one.failures = failures;
      // A setup that was killed has left it running.
      if ('certificate' in failures) one.running.add('traefik');
    });
    const { status, text } = await run(server);
    assert.equal(status, 1);
    assert.match(text, said);
    assert.match(text, /\nrun this again when that is done: it goes on where it is$/);
    assert.equal(server.running.has('traefik'), false, 'it would ask the authority again and again');
    server.failures = {};
    assert.equal((await run(server)).status, 0);
    assert.deepEqual(stateOf(server), stateOf(await finished()));
  }
});

test('a power cut before any change is repaired by the next run', async () => {
  const whole = await finished();
  for (let cutAt = 1; cutAt <= whole.changes; cutAt += 1) {
    const server = make((one) => {
      one.cutAt = cutAt;
    });
    await assert.rejects(run(server), PowerCut);
    const { status, text } = await run(server);
    assert.equal(status, 0, `cut at ${cutAt}: ${text}`);
    assert.deepEqual(stateOf(server), stateOf(whole), `cut at ${cutAt}`);
  }
});

test('a certificate that fails after a power cut leaves no Traefik that asks again', async () => {
  for (let cutAt = 1; cutAt <= (await finished()).changes; cutAt += 1) {
    const server = make((one) => {
      one.cutAt = cutAt;
    });
    await assert.rejects(run(server), PowerCut);
    server.failures = { certificate: 'Unable to obtain ACME certificate' };
    const { status } = await run(server);
    assert.equal(server.running.has('traefik'), status === 0, `cut at ${cutAt}`);
  }
});

test('a second run makes no certificate, also while the registry is away', async () => {
  const server = await finished();
  server.failures = { pull: 'docker compose pull: connection refused' };
  server.said.length = 0;
  assert.equal((await run(server)).status, 0);
  assert.deepEqual(server.certificatesMade, [trial, real]);
  assert.match(server.said.join('\n'), /^note: the images stay as they are: .*connection refused$/m);
});

test('a proxy that ran before serves its apps after a failed trial', async () => {
  const server = await finished();
  server.certificateOf = 'https://expired.test/dir';
  server.failures = { certificate: 'Unable to obtain ACME certificate' };
  assert.equal((await run(server)).status, 1);
  assert.ok(server.running.has('traefik'));
  assert.deepEqual([server.variable('ACME_SERVER'), server.variable('ACME_STORAGE')], [real, 'acme.json']);
});

test('wg-easy and certificates begin anew with another domain or network, at any moment', async () => {
  const anew = { domain: 'their.org', publicHost: 'gateway.their.org', tunnelNetwork: '10.9.0.0/24', beginsAnew: true };
  const begin = async (cutAt = 0) => {
    const server = await finished();
    server.cutAt = cutAt === 0 ? 0 : server.changes + cutAt;
    const { certificate } = server.ports;
    server.ports.certificate = (host) => certificate(host.replace('their', 'my'));
    return server;
  };
  const whole = await begin();
  const before = whole.changes;
  assert.equal((await run(whole, anew)).status, 0);
  assert.deepEqual(whole.certificatesMade, [trial, real, trial, real]);
  assert.equal(whole.variable('GATEWAY_TUNNEL_NETWORK'), '10.9.0.0/24');
  assert.match(whole.files.get(places.settings) ?? '', /^GATEWAY_TUNNEL_NETWORK=10\.9\.0\.0\/24$/m);
  for (let cutAt = 1; cutAt <= whole.changes - before; cutAt += 1) {
    const server = await begin(cutAt);
    await assert.rejects(run(server, anew), PowerCut);
    const isDone = server.variable('GATEWAY_DOMAIN') === 'their.org';
    if (isDone) assert.ok(server.certificatesMade.length > 2 || server.certificateOf === null, 'nothing old is kept');
    assert.equal((await run(server, { ...anew, beginsAnew: !isDone })).status, 0);
    assert.deepEqual(stateOf(server), stateOf(whole));
  }
});

test('keeps what the operator has written', async () => {
  const server = await finished();
  const edit = (path: string) => server.files.set(path, `${server.files.get(path)}# mine\n`);
  for (const path of [places.settings, places.variables, places.dns, places.project, places.route]) edit(path);
  server.files.set(places.password, 'chosen-by-hand\n');
  server.managerPassword = 'chosen-by-hand';
  assert.equal((await run(server)).status, 0);
  for (const path of [places.settings, places.variables, places.dns]) {
    assert.match(server.files.get(path) ?? '', /^# mine$/m, path);
  }
  for (const path of [places.project, places.route]) {
    assert.match(server.files.get(`${path}.kept`) ?? '', /# mine\n$/);
    assert.doesNotMatch(server.files.get(path) ?? '', /mine/);
    assert.ok(server.said.some((line) => line.includes(`${path}.kept`)));
  }
  assert.equal(server.files.get(places.password), 'chosen-by-hand\n');
  assert.equal(server.variable('GATEWAY_TUNNEL_PASSWORD'), "'chosen-by-hand'");
});

test('of two at once, in any order of setup and removal, the second changes nothing, and works later', async () => {
  const lockFile = join(temporaryFolder(), 'setup.lock');
  const steps = [run, (server: FakeServer) => takeBack(server.ports)];
  for (const [first, second] of steps.flatMap((one) => steps.map((other) => [one, other] as const))) {
    const server = await finished();
    const outcome = await inTurn(async () => {
      const { changes } = server;
      const { status, text } = await inTurn(() => second(server), lockFile);
      assert.deepEqual([status, server.changes], [1, changes]);
      assert.match(text, /^another gateway setup runs on this server, and this one has changed nothing: [^\n]+$/);
      return first(server);
    }, lockFile);
    assert.equal(outcome.status, 0, outcome.text);
    assert.equal((await inTurn(() => second(server), lockFile)).status, 0);
  }
});

test('a password that Compose could misread is refused before anything runs', async () => {
  const server = make((one) => one.files.set(places.password, "it's\n"));
  assert.match((await run(server)).text, /^the password in \/etc\/boxgate\/tunnel-password has a quote/);
  assert.equal(server.running.size, 0);
});

test('what the doctor finds is the end, and no line for owners', async () => {
  const server = make((one) => {
    one.managerPassword = 'of an older volume';
  });
  const { status, text } = await run(server);
  assert.equal(status, 1);
  assert.match(server.said.join('\n'), /wrong password/);
  assert.doesNotMatch(text, /tunnel join/);
});

test('a finding of a part that has just started goes away', async () => {
  const server = make();
  const { doctor } = server.ports;
  let looks = 0;
  server.ports.doctor = async () => (looks++ < 2 ? { status: 1, text: 'no answer yet' } : doctor());
  assert.equal((await run(server)).status, 0);
  assert.doesNotMatch(server.said.join('\n'), /no answer yet/);
});

test('--remove takes back what runs and keeps settings and secrets, at any moment', async () => {
  const whole = await finished();
  for (let cutAt = 0; cutAt <= whole.changes; cutAt += 1) {
    const server = make((one) => {
      one.cutAt = cutAt;
    });
    if (cutAt === 0) await run(server);
    else await assert.rejects(run(server), PowerCut);
    const { status, text } = await takeBack(server.ports);
    assert.equal(status, 0, text);
    assert.doesNotMatch(text, /go on running/);
    assert.deepEqual([...server.running], []);
    assert.equal(server.files.has(places.project), false);
    assert.ok(!server.files.has(places.settings) || cutAt > 0 || server.variable('ACME_EMAIL') === 'ada@my.org');
    assert.equal((await run(server)).status, 0, 'a setup afterwards works');
    assert.deepEqual(stateOf(server), stateOf(whole));
  }
});

test('--remove says what it could not do', async () => {
  const server = await finished();
  const compose = async () => {
    throw new SetupFailed('there is no docker');
  };
  const { status, text } = await takeBack({ ...server.ports, compose });
  assert.deepEqual([status, text], [1, 'there is no docker\nrun this again when that is done']);
  assert.ok(server.running.has('gateway'), 'the packet filter stays while wg-easy may run');
});

test('an archive that is older than what is installed sets nothing up', () => {
  const folder = temporaryFolder();
  assert.equal(newerInstalled('0.1.0', folder), null);
  mkdirSync(join(folder, 'current'));
  for (const [text, isRefused] of [
    ['{"version":"0.2.0"}', true],
    ['{"version":"0.1.1-rc.1"}', true],
    ['{"version":"0.1.0"}', false],
    ['{"version":"0.0.9"}', false],
    ['{}', false],
    ['', false],
  ] as const) {
    writeFileSync(join(folder, 'current', 'package.json'), text);
    const outcome = newerInstalled('0.1.0', folder);
    assert.equal(outcome?.status ?? null, isRefused ? 1 : null, text);
    if (isRefused) assert.match(outcome?.text ?? '', /^boxgate \S+ is installed, this archive is 0\.1\.0, and nothing/);
  }
});
