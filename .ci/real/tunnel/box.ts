import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { boxAddress, makeNetwork, removeNetwork, sh } from './network.ts';

/** A box with boxgate installed as a package would, and a gateway that it can join. For tests inside systemd. */

export const unit = 'boxgate-tunnel.service';
export const app = { host: boxAddress, port: 8080 };

/** The gateway that the box joins. `config` is the WireGuard configuration that it sends. */
type Gateway = { url: string; registrationToken: string; config: string; close(): Promise<void> };

export type TunnelBox = {
  /** Runs `boxgate tunnel WORDS`, asynchronously, because this process serves the gateway's API. */
  tunnel(...words: string[]): Promise<{ status: number; said: string }>;
  /** Like `tunnel`, but throws unless the command succeeds. Returns its output. */
  works(...words: string[]): Promise<string>;
  remove(): Promise<void>;
};

export const systemctl = (...argv: string[]) => spawnSync('systemctl', argv, { encoding: 'utf8' });
export const journal = () => sh(`journalctl -u ${unit} --no-pager -o cat -n 40`);

export function makeTunnelBox(gateway: Gateway): TunnelBox {
  assert.ok(existsSync('/run/inside'), 'this runs inside .ci/parts/systemd-inside.sh only');
  rmSync('/var/lib/boxgate', { recursive: true, force: true });
  sh('sh deploy/install.sh --no-start');
  gateway.config = makeNetwork();
  const tunnel = async (...words: string[]) => {
    const child = spawn('/usr/local/bin/boxgate', ['tunnel', ...words], {
      env: {
        ...{ PATH: process.env.PATH, HOME: '/root', BOX_REGISTRATION_TOKEN: gateway.registrationToken },
        // No proxy runs here. Any HTTP answer ends the wait of `publish`.
        BOX_GATEWAY_PROXY: gateway.url,
      },
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
  };
  return {
    tunnel,
    async works(...words) {
      const { status, said } = await tunnel(...words);
      assert.equal(status, 0, `${said}${journal()}`);
      return said;
    },
    async remove() {
      systemctl('disable', '--now', unit, 'boxgate-heartbeat.timer', 'boxgate-box.service');
      await gateway.close();
      removeNetwork();
      rmSync('/var/lib/boxgate', { recursive: true, force: true });
    },
  };
}
