import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { type FakeGateway, startFakeGateway } from '../../src/tunnel/testing/fake-gateway.ts';
import {
  boxAddress,
  fromGateway,
  listenOnBox,
  makeNetwork,
  removeNetwork,
  restartGateway,
  sh,
} from './tunnel-network.ts';
import { until } from './until.ts';

/**
 * A box's tunnel from join to leave, with the units as they are installed and real WireGuard. The gateway drops every
 * new connection of a box, as deploy/gateway/ has it. Runs inside a systemd of its own. The tests tell one story in
 * order.
 */
const unit = 'boxgate-tunnel.service';
const app = { host: boxAddress, port: 8080 };

const systemctl = (...argv: string[]) => spawnSync('systemctl', argv, { encoding: 'utf8' });
const state = (name: string) => systemctl('is-active', name).stdout.trim();
const enable = () => systemctl('enable', '--now', unit, 'boxgate-heartbeat.timer');
const journal = () => sh(`journalctl -u ${unit} --no-pager -o cat -n 40`);
const hasInterface = () => existsSync('/sys/class/net/tunnel');

let gateway: FakeGateway;

/** Not waited for in place: the gateway's API answers from this process. */
async function tunnel(...words: string[]) {
  const child = spawn('/usr/local/bin/boxgate', ['tunnel', ...words], {
    env: { PATH: process.env.PATH, HOME: '/root', BOX_REGISTRATION_TOKEN: gateway.registrationToken },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes) => {
      said += bytes;
    });
  }
  const [status] = await once(child, 'close');
  return { status, said };
}

async function works(words: string[]): Promise<string> {
  const { status, said } = await tunnel(...words);
  assert.equal(status, 0, `${said}${journal()}`);
  return said;
}

const join = () => works(['join', '--gateway', gateway.url, '--name', 'attic']);
const publish = (name: string) => works(['publish', name, '--subdomain', name, '--port', `${app.port}`]);
const untilReached = () =>
  until('the gateway reaches the app', async () => (await fromGateway(app)) === 'app', 180_000);

/** Restarts the gateway's WireGuard. @returns seconds until the app is reached again */
async function recovery(): Promise<number> {
  restartGateway();
  const begin = Date.now();
  await untilReached();
  return (Date.now() - begin) / 1000;
}

assert.ok(existsSync('/run/inside'), 'this runs inside .ci/parts/systemd-inside.sh only');

before(async () => {
  rmSync('/var/lib/boxgate', { recursive: true, force: true });
  sh('sh deploy/install.sh --no-start');
  gateway = await startFakeGateway();
  gateway.config = makeNetwork();
  sh(`ip netns exec gateway nft -f - <<'RULES'
table inet isolation {
  chain input { type filter hook input priority filter; iifname "wg0" ct state != { established, related } drop; }
}
RULES`);
  listenOnBox(app.port, 'app');
});

after(async () => {
  systemctl('disable', '--now', unit, 'boxgate-heartbeat.timer');
  await removeNetwork();
  await gateway.close();
});

test('a joined box whose unit does not run is down, with exit status 1', async () => {
  await join();
  const { status, said } = await tunnel('status');
  assert.equal(status, 1, said);
  assert.match(said, /^tunnel {3}10\.8\.0\.2, down: bring it up with `systemctl enable --now/m);
});

test('the commands that join names bring the tunnel up, and status sees it answer', async () => {
  const enabled = enable();
  assert.equal(enabled.status, 0, `${enabled.stderr}${journal()}`);
  await publish('notes');
  await untilReached();
  assert.match(await works(['status']), /^tunnel {3}10\.8\.0\.2, up, last handshake \d+ s ago$/m);
});

test('choice/gateway/223: a restart of wg-easy cuts the box off for well below a minute', async () => {
  const measured = [await recovery(), await recovery()];
  console.log(`reached again after ${measured.map((seconds) => seconds.toFixed(1)).join(' s and ')} s`);
  // Without data in the tunnel it takes about 130 s.
  assert.ok(Math.min(...measured) < 60, `${measured}`);
});

test('a restart of the unit and a crash of its process bring the tunnel back', async () => {
  assert.equal(systemctl('restart', unit).status, 0, journal());
  await untilReached();
  const pid = systemctl('show', '-p', 'MainPID', '--value', unit).stdout.trim();
  process.kill(Number(pid), 'SIGKILL');
  await until('systemd starts it again', () => systemctl('is-active', unit).stdout.trim() === 'active');
  await untilReached();
});

test('an interface that somebody removed comes back', async () => {
  sh('ip link delete dev tunnel');
  await until('the unit notices', () => state(unit) !== 'active');
  await until('systemd starts it again', () => state(unit) === 'active' && hasInterface());
  await untilReached();
});

test('choice/gateway/221: a tunnel without a gateway is dead, with exit status 1 and what to do', async () => {
  sh('ip -n gateway link set wan down');
  const { status, said } = await tunnel('status');
  sh('ip -n gateway link set wan up');
  assert.equal(status, 1, said);
  assert.match(said, /^tunnel .* dead: the gateway .* `systemctl restart boxgate-tunnel/m);
  await untilReached();
});

test('choice/gateway/222: leave takes the tunnel down and disables its units', async () => {
  assert.match(await works(['leave']), /has left, and its tunnel is down/);
  assert.deepEqual(
    [state(unit), state('boxgate-heartbeat.timer'), hasInterface()],
    ['inactive', 'inactive', false],
  );
  assert.equal(systemctl('is-enabled', unit).stdout.trim(), 'disabled');
});

test('a box that joins again has a tunnel that works', async () => {
  await join();
  const enabled = enable();
  assert.equal(enabled.status, 0, `${enabled.stderr}${journal()}`);
  await publish('again');
  await untilReached();
  await works(['status']);
});

test('leave takes down a tunnel that was brought up by hand', async () => {
  assert.equal(systemctl('stop', unit).status, 0);
  assert.equal(hasInterface(), false);
  sh('wg-quick up /var/lib/boxgate/tunnel.conf 2>&1');
  await works(['leave']);
  assert.equal(hasInterface(), false);
});
