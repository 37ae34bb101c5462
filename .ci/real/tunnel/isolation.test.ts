import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { type FakeGateway, startFakeGateway } from '../../../src/box/addresses/testing/fake-gateway.ts';
import { until } from '../support/until.ts';
import { app, journal, makeTunnelBox, systemctl, type TunnelBox, unit } from './box.ts';
import { boxAddress, fromBox, fromGateway, gatewayAddress, lanHost, listenIn, listenOnBox, sh } from './network.ts';

/**
 * Tests which ports a hostile gateway reaches through a box's tunnel, with the installed unit, real WireGuard and a
 * real packet filter. Runs inside its own systemd. Each test continues from the one before.
 */
const ssh = { host: boxAddress, port: 2222 };
const page = { host: boxAddress, port: 7001 };
const container = { host: boxAddress, port: 8090 };

let gateway: FakeGateway;
let box: TunnelBox;

before(async () => {
  gateway = await startFakeGateway();
  box = makeTunnelBox(gateway);
  listenOnBox(ssh.port, 'ssh');
  listenOnBox(page.port, 'page');
  listenOnBox(app.port, 'app');
  await listenIn('lan', app.port, 'printer');
  await listenIn('lan', 80, 'container');
  await listenIn('gateway', 9000, 'gateway');
  // Imitates a box with Docker: it forwards packets, and Docker adds such a rule for each published port.
  sh(`unshare -m sh -euc 'mount -t proc proc /proc; echo 1 >/proc/sys/net/ipv4/ip_forward'
    nft -f - <<'RULES'
table ip test_docker {
  chain published { type nat hook prerouting priority dstnat; tcp dport ${container.port} dnat to ${lanHost}:80; }
}
RULES`);
  await box.works('join', '--gateway', gateway.url, '--name', 'attic');
});

after(async () => {
  await box.remove();
  spawnSync('nft', ['delete', 'table', 'ip', 'test_docker']);
  rmSync('/var/lib/boxgate-other', { recursive: true, force: true });
});

const answersOf = (...targets: { host: string; port: number }[]) => Promise.all(targets.map(fromGateway));
const isUp = async () => (await fromBox({ host: gatewayAddress, port: 9000 })) === 'gateway';

test('choice/gateway/210: without nft the tunnel does not come up, and the journal names the package', async () => {
  const dropIn = `/etc/systemd/system/${unit}.d`;
  mkdirSync(dropIn);
  writeFileSync(`${dropIn}/test.conf`, '[Service]\nTemporaryFileSystem=/usr/sbin\nRestart=no\n');
  systemctl('daemon-reload');
  assert.notEqual(systemctl('start', unit).status, 0);
  await until('the journal has it', () => /nft is not installed: install the package nftables/.test(journal()));
  assert.ok(!existsSync('/sys/class/net/tunnel'));
  rmSync(dropIn, { recursive: true });
  systemctl('daemon-reload');
});

test('the unit brings the tunnel up, and systemd rates its exposure below 3', async () => {
  const started = systemctl('start', unit);
  assert.equal(started.status, 0, `${started.stderr}${journal()}`);
  const rated = spawnSync('systemd-analyze', ['security', '--threshold=30', unit], { encoding: 'utf8' });
  assert.equal(rated.status, 0, rated.stdout.split('\n').slice(-4).join('\n'));
  await until('the gateway answers the box through the tunnel', isUp);
});

test('choice/gateway/210: a gateway reaches nothing of a box that has published nothing', async () => {
  const answers = await answersOf(ssh, page, app, container, { host: lanHost, port: app.port });
  assert.deepEqual(answers, ['', '', '', '', '']);
});

test('a published port is reached, and no other, neither on the box nor on its network', async () => {
  await box.works('publish', 'notes', '--subdomain', 'notes', '--port', `${app.port}`);
  await until('the app answers the gateway', async () => (await fromGateway(app)) === 'app');
  const answers = await answersOf(ssh, page, container, { host: lanHost, port: app.port });
  assert.deepEqual(answers, ['', '', '', '']);
  assert.ok(await isUp());
});

test('a published port of a container is reached through its destination NAT', async () => {
  await box.works('publish', 'web', '--subdomain', 'web', '--port', `${container.port}`);
  await until('it answers the gateway', async () => (await fromGateway(container)) === 'container');
  assert.deepEqual(await answersOf(ssh, { host: lanHost, port: 80 }), ['', '']);
});

test('choice/gateway/312: publish tells a port without a listener, and one on 127.0.0.1 only', async (t) => {
  const local = createServer((socket) => socket.on('error', () => undefined).end('local'));
  t.after(() => local.close());
  await once(local.listen(8095, '127.0.0.1'), 'listening');
  const said = [];
  for (const port of ['8094', '8095', `${page.port}`]) {
    said.push(await box.works('publish', 'web', '--subdomain', `p${port}`, '--port', port));
    await box.works('unpublish', `p${port}.example.test`);
  }
  assert.match(`${said[0]}`, /^boxgate: nothing listens on port 8094 of this box/m);
  assert.match(`${said[1]}`, /^boxgate: port 8095 of this box listens only on 127\.0\.0\.1/m);
  assert.match(`${said[2]}`, /^web \(port 7001\) is published at \S+ and answers, id \w+\n$/);
});

test('choice/gateway/315: the name of an app whose container is not seen is kept and leads nowhere, until the app is gone', async () => {
  const install = (name: string) => {
    mkdirSync(`/var/lib/boxgate/apps/${name}`, { recursive: true });
    writeFileSync(`/var/lib/boxgate/apps/${name}/manifest.json`, JSON.stringify({ name, version: '1' }));
  };
  const other = { host: boxAddress, port: 8096 };
  listenOnBox(other.port, 'of another program');
  const publish = async () => {
    install('photos');
    const said = await box.works('publish', 'photos', '--subdomain', 'photos', '--port', `${other.port}`);
    assert.match(said, /photos\.example\.test leads nowhere/);
    assert.equal(await fromGateway(other), '');
  };
  const isPublished = () => gateway.routes.some(({ subdomain }) => subdomain === 'photos');
  assert.equal(systemctl('start', 'boxgate-box.service').status, 0);
  const api = 'http://127.0.0.1:7000/api/apps';
  await until('the box answers', async () => (await fetch(api).catch(() => null))?.ok === true);
  await assert.rejects(box.works('publish', 'page', '--subdomain', 'page', '--port', '7000'), /management page/);
  await publish();
  const answer = await fetch(`${api}/remove`, { method: 'POST', body: JSON.stringify({ name: 'photos' }) });
  assert.deepEqual([answer.status, isPublished()], [200, false], sh('journalctl -u boxgate-box -n 20'));

  await publish();
  rmSync('/var/lib/boxgate/apps/photos', { recursive: true });
  // Runs asynchronously, because this process serves the gateway's API.
  systemctl('start', '--no-block', 'boxgate-heartbeat.service');
  await until('the route is gone', () => !isPublished());
  assert.equal(await fromGateway(other), '', sh('journalctl -u boxgate-heartbeat -n 20'));
  assert.equal(await fromGateway(container), 'container', 'the other routes stay');
  assert.equal(systemctl('stop', 'boxgate-box.service').status, 0);
});

test('unpublish closes the port, for open connections too', async () => {
  const script = `
    const socket = require('net').connect(${app.port}, '${boxAddress}');
    socket.on('data', (bytes) => process.stdout.write(bytes)).on('error', () => 0);
    process.stdin.on('data', (bytes) => socket.write(bytes));`;
  const open = spawn('ip', ['netns', 'exec', 'gateway', process.execPath, '-e', script]);
  let said = '';
  open.stdout.on('data', (bytes) => {
    said += bytes;
  });
  await until('the connection is open', () => said === 'app');
  open.stdin.write('again\n');
  await until('it carries data', () => said === 'appapp');
  await box.works('unpublish', 'notes.example.test');
  open.stdin.write('again\n');
  assert.deepEqual(await answersOf(app, ssh, page), ['', '', '']);
  assert.equal(said, 'appapp');
  open.kill('SIGKILL');
  await once(open, 'close');
  assert.equal(await fromGateway(container), 'container', 'the other route still works');
});

test('a restart of the unit keeps what is published; a stop takes the packet filter away', async () => {
  assert.equal(systemctl('restart', unit).status, 0, journal());
  await until('the gateway answers the box', isUp);
  assert.deepEqual(await answersOf(container, app, ssh), ['container', '', '']);
  assert.equal(systemctl('stop', unit).status, 0, journal());
  assert.ok(!existsSync('/sys/class/net/tunnel'));
  assert.doesNotMatch(sh('nft list tables'), /boxgate/);
});

test('the packet filter is what closes the ports: a tunnel without it opens them', async () => {
  sh('wg-quick up /var/lib/boxgate/tunnel.conf 2>&1');
  await until('the gateway answers the box', isUp);
  const answers = await answersOf(ssh, page, { host: lanHost, port: app.port });
  assert.deepEqual(answers, ['ssh', 'page', 'printer']);
  sh('wg-quick down /var/lib/boxgate/tunnel.conf 2>&1');
});

for (const emptied of ['delete', 'flush']) {
  test(`a packet filter that somebody emptied (${emptied}) takes the tunnel down until it is loaded again`, async () => {
    assert.equal(systemctl('start', unit).status, 0, journal());
    await until('the gateway answers the box', isUp);
    sh(`nft ${emptied} table inet boxgate_tunnel`);
    await until('the tunnel is down', () => !existsSync('/sys/class/net/tunnel'));
    await until('the gateway answers the box', isUp);
    assert.match(sh('nft list table inet boxgate_tunnel'), /\tdrop\n/);
  });
}

test('another registration that leaves touches neither the tunnel nor its ports', async () => {
  const { config } = gateway;
  gateway.config = config.replace(/^PrivateKey = .*$/m, `PrivateKey = ${sh('wg genkey')}`);
  const other = ['--state-dir', '/var/lib/boxgate-other'];
  await box.works('join', '--gateway', gateway.url, '--name', 'shed', ...other);
  await box.works('publish', 'ssh', '--subdomain', 'ssh', '--port', `${ssh.port}`, ...other);
  assert.deepEqual(await answersOf(ssh, container), ['', 'container']);
  await box.works('leave', ...other);
  assert.deepEqual(await answersOf(ssh, container), ['', 'container']);
  gateway.config = config;
});

test('install.sh closes a tunnel that an older version brought up without a packet filter', async () => {
  systemctl('stop', unit);
  const config = '/var/lib/boxgate/tunnel.conf';
  const old = `[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=wg-quick up ${config}\nExecStop=wg-quick down ${config}\n[Install]\nWantedBy=multi-user.target\n`;
  writeFileSync(`/etc/systemd/system/${unit}`, old);
  systemctl('daemon-reload');
  assert.equal(systemctl('enable', '--now', unit).status, 0, journal());
  await until('the gateway answers the box', isUp);
  assert.equal(await fromGateway(ssh), 'ssh', 'before the upgrade');
  sh('sh deploy/install.sh');
  assert.ok(existsSync(`/etc/systemd/system/nftables.service.wants/${unit}`), 'what the new unit is wanted by');
  await until('the gateway answers the box', isUp);
  assert.deepEqual(await answersOf(ssh, page, container), ['', '', 'container']);
});

/** Findings of the gateway's doctor. */
const firewallState = () =>
  sh(`ip netns exec gateway ${process.execPath} --input-type=module -e "
    import { tunnelFirewall } from './src/gateway/adapters/tunnel-firewall.ts';
    console.log(await tunnelFirewall());"`);

test('choice/gateway/213: a hostile box reaches nothing behind the gateway, and answers still flow', async () => {
  const cloud = { host: '169.254.169.254', port: 80 };
  const neighbour = { host: '10.77.0.2', port: 80 };
  const own = { host: gatewayAddress, port: 9000 };
  // The gateway forwards and masquerades, as wg-easy does for its clients.
  sh(`
    ip netns add private; ip -n private link set lo up
    ip -n gateway link add private type veth peer name private netns private
    ip -n gateway addr add 10.77.0.1/24 dev private; ip -n gateway link set private up
    ip -n private addr add ${neighbour.host}/24 dev private; ip -n private link set private up
    ip -n private addr add ${cloud.host}/32 dev lo
    ip -n gateway route add ${cloud.host} via ${neighbour.host}
    ip netns exec gateway unshare -m sh -euc 'mount -t proc proc /proc; echo 1 >/proc/sys/net/ipv4/ip_forward'
    ip netns exec gateway nft -f - <<'RULES'
table ip test_wg_easy {
  chain outwards { type nat hook postrouting priority srcnat; oifname "private" masquerade; }
}
RULES`);
  await listenIn('private', 80, 'private');
  // Imitates an owner who has extended the tunnel's configuration by hand.
  sh(`wg set tunnel peer "$(wg show tunnel peers)" allowed-ips 0.0.0.0/0
    ip route add ${cloud.host} dev tunnel; ip route add 10.77.0.0/24 dev tunnel`);
  const reached = () => Promise.all([cloud, neighbour, own].map(fromBox));
  assert.deepEqual(await reached(), ['private', 'private', 'gateway'], 'without the rules');
  assert.equal(firewallState(), 'missing');

  sh('ip netns exec gateway nft -f deploy/gateway/firewall.nft');
  assert.deepEqual(await reached(), ['', '', '']);
  assert.equal(firewallState(), 'loaded');
  sh('ip netns exec gateway nft flush table inet boxgate_gateway');
  assert.equal(firewallState(), 'missing');
  sh('ip netns exec gateway nft -f deploy/gateway/firewall.nft');
  assert.equal(await fromGateway(container), 'container');
});
