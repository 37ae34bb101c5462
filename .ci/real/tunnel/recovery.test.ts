import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { type FakeGateway, startFakeGateway } from '../../../src/box/addresses/testing/fake-gateway.ts';
import { until } from '../support/until.ts';
import { app, journal, makeTunnelBox, systemctl, type TunnelBox, unit } from './box.ts';
import { fromGateway, listenOnBox, restartGateway, sh } from './network.ts';

/**
 * Tests a box's tunnel from join to leave, with the installed units and real WireGuard. The gateway drops every new
 * connection of a box, like the rules of deploy/gateway/. Runs inside its own systemd. Each test
 * continues from the one before.
 */
const state = (name: string) => systemctl('is-active', name).stdout.trim();
const enable = () => systemctl('enable', '--now', unit, 'boxgate-heartbeat.timer');
const failedUnits = () => systemctl('list-units', '--failed', '--no-legend', 'boxgate-*').stdout;
const right = '203.0.113.1 vpn.boxgate.test\n';
const settings = '/etc/boxgate/box.env';
const hasInterface = () => existsSync('/sys/class/net/tunnel');

let gateway: FakeGateway;
let box: TunnelBox;

const join = () => box.works('join', '--gateway', gateway.url, '--name', 'attic');
const publish = (name: string) => box.works('publish', name, '--subdomain', name, '--port', `${app.port}`);
const untilReached = () =>
  until('the gateway reaches the app', async () => (await fromGateway(app)) === 'app', 180_000);

/** Restarts the gateway's WireGuard. @returns seconds until the app is reached again */
async function recovery(): Promise<number> {
  restartGateway();
  const begin = Date.now();
  await untilReached();
  return (Date.now() - begin) / 1000;
}

before(async () => {
  gateway = await startFakeGateway();
  box = makeTunnelBox(gateway);
  // The resolver puts the address first that is nearer to the box's own.
  writeFileSync('/etc/hosts', `203.0.113.3 vpn.boxgate.test\n${right}`);
  gateway.config = gateway.config.replace('Endpoint = 203.0.113.1', 'Endpoint = vpn.boxgate.test');
  sh(`ip netns exec gateway nft -f - <<'RULES'
table inet isolation {
  chain input { type filter hook input priority filter; iifname "wg0" ct state != { established, related } drop; }
}
RULES`);
  listenOnBox(app.port, 'app');
});

after(() => {
  for (const path of [settings, '/var/lib/boxgate-elsewhere']) rmSync(path, { recursive: true, force: true });
  return box.remove();
});

test('a joined box whose unit does not run is down, with exit status 1', async () => {
  await join();
  const { status, said } = await box.tunnel('status');
  assert.equal(status, 1, said);
  assert.match(said, /^tunnel {3}10\.8\.0\.2, down: bring it up with `systemctl enable --now/m);
});

test('the commands that join names bring the tunnel up, and status sees it answer', async () => {
  const enabled = enable();
  assert.equal(enabled.status, 0, `${enabled.stderr}${journal()}`);
  await publish('notes');
  await untilReached();
  assert.match(await box.works('status'), /^tunnel {3}10\.8\.0\.2, up, last handshake \d+ s ago$/m);
  assert.match(
    await box.works('status'),
    /^peer {5}10\.8\.0\.1.* at 203\.0\.113\.1:51820\npackets {2}of at most 1280/m,
  );
});

test('the address of the gateway that answers is used, although another one of its name comes first', async () => {
  assert.match(sh('getent ahosts vpn.boxgate.test'), /^203\.0\.113\.3 /);
  assert.equal(sh('wg show tunnel endpoints | cut -f 2'), '203.0.113.1:51820');
  writeFileSync('/etc/hosts', right);
});

test('a route and an address that a network daemon took away come back', async () => {
  sh('ip route delete 10.8.0.1/32 dev tunnel');
  await untilReached();
  sh('ip address delete 10.8.0.2/32 dev tunnel');
  await untilReached();
});

test('a tunnel whose packets another VPN takes ends, and comes back with its way', async () => {
  sh('ip route add 10.8.0.0/24 dev lan table 52; ip rule add lookup 52 pref 100');
  await until('the unit ends', () => state(unit) !== 'active');
  assert.match(journal(), /packets to the gateway's end do not leave through tunnel: .* dev lan table 52/);
  sh('ip rule delete pref 100; ip route flush table 52');
  await untilReached();
});

test('choice/gateway/221: a restart of wg-easy cuts the box off for well below a minute', async () => {
  const measured = await recovery();
  // Without data in the tunnel, WireGuard needs about 130 s for a new handshake.
  assert.ok(measured < 60, `${measured}`);
});

test('a restart of the unit and a crash of its process bring the tunnel back', async () => {
  assert.equal(systemctl('restart', unit).status, 0, journal());
  await untilReached();
  const mainPid = () => systemctl('show', '-p', 'MainPID', '--value', unit).stdout.trim();
  const pid = mainPid();
  process.kill(Number(pid), 'SIGKILL');
  await until('systemd starts it again', () => !['0', pid].includes(mainPid()) && state(unit) === 'active');
  await untilReached();
});

test('an interface that somebody removed comes back', async () => {
  sh('ip link delete dev tunnel');
  await until('the unit notices', () => state(unit) !== 'active');
  await until('systemd starts it again', () => state(unit) === 'active' && hasInterface());
  await untilReached();
});

test('a start of nftables.service after a stop brings the tunnel back', async () => {
  const nftables = '/etc/systemd/system/nftables.service';
  writeFileSync(
    nftables,
    '[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=true\nExecStop=nft delete table inet boxgate_tunnel\n',
  );
  systemctl('daemon-reload');
  assert.equal(systemctl('start', 'nftables').status, 0);
  for (const verb of ['restart', 'stop', 'start']) assert.equal(systemctl(verb, 'nftables').status, 0, verb);
  await untilReached();
  rmSync(nftables);
  systemctl('daemon-reload');
});

test('choice/gateway/221: a tunnel without a gateway is dead, with exit status 1 and what to do', async () => {
  sh('ip -n gateway link set wan down');
  const { status, said } = await box.tunnel('status');
  sh('ip -n gateway link set wan up');
  assert.equal(status, 1, said);
  assert.match(said, /^tunnel .* dead: the gateway .* `systemctl restart boxgate-tunnel/m);
  await untilReached();
});

test('leave takes the tunnel down, disables its units and leaves no failed unit', async () => {
  gateway.answerAll = { status: 503, body: { error: 'closed' } };
  // Runs asynchronously, because this process serves the gateway's API.
  systemctl('start', '--no-block', 'boxgate-heartbeat.service');
  await until('a heartbeat fails', () => failedUnits().includes('boxgate-heartbeat.service'));
  gateway.answerAll = null;
  assert.match(await box.works('leave'), /has left, and its tunnel is down/);
  assert.deepEqual([state(unit), state('boxgate-heartbeat.timer'), hasInterface()], ['inactive', 'inactive', false]);
  assert.equal(systemctl('is-enabled', unit).stdout.trim(), 'disabled');
  const again = systemctl('disable', '--now', 'boxgate-tunnel', 'boxgate-heartbeat.timer');
  assert.equal(again.status, 0, again.stderr);
  assert.equal(failedUnits(), '');
});

test('a box that joins again has a tunnel that works, also with a state directory elsewhere', async () => {
  mkdirSync('/etc/boxgate', { recursive: true });
  writeFileSync(settings, 'BOX_STATE_DIR=/var/lib/boxgate-elsewhere\n');
  await join();
  const enabled = enable();
  assert.equal(enabled.status, 0, `${enabled.stderr}${journal()}`);
  await publish('again');
  await untilReached();
  assert.equal(systemctl('restart', unit).status, 0, journal());
  await untilReached();
  await box.works('status');
});

test('leave takes down a tunnel that was brought up by hand, and removes its packet filter', async () => {
  assert.equal(systemctl('stop', unit).status, 0);
  assert.equal(hasInterface(), false);
  await box.works('firewall');
  sh('wg-quick up /var/lib/boxgate-elsewhere/tunnel.conf 2>&1');
  await box.works('leave');
  assert.equal(systemctl('is-enabled', unit).stdout.trim(), 'disabled');
  assert.equal(hasInterface(), false);
  assert.doesNotMatch(sh('nft list tables'), /boxgate_tunnel/);
});
