import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { makeOpenPorts, type OpenPort } from '../box/addresses/adapters/open-ports.ts';
import type { TunnelPorts } from '../box/addresses/tunnel.ts';
import type { PublicRoutes } from '../box/ports.ts';
import { logLine } from '../lib/log-line.ts';
import { shownName } from '../lib/shown-text.ts';

/** Time limit for the gateway when an app is removed. */
const limitMs = 10_000;

type Urls = ReturnType<PublicRoutes['urls']>;

/**
 * The public names of a box that may have joined a gateway: `boxgate tunnel publish` made them.
 * @param makeTunnel - only for tests
 */
export function makePublicRoutes(
  stateDir: string,
  {
    withinMs = limitMs,
    warn = logLine,
    makeTunnel = makeBoxTunnel,
  }: { withinMs?: number; warn?: (text: string) => void; makeTunnel?: (stateDir: string) => Promise<TunnelPorts> } = {},
): PublicRoutes {
  const file = join(stateDir, 'tunnel-ports.json');
  let warned = '';
  const warnOnce = (text: string) => {
    if (text !== warned && text !== '') warn(text);
    warned = text;
  };
  const follow = makeFollower(async () => {
    if (!existsSync(file)) return;
    try {
      const { followApps } = await import('../box/addresses/follow-apps.ts');
      const { lines } = await followApps(await makeTunnel(stateDir), { retries: false });
      for (const line of lines) warn(shownName(line));
      warnOnce('');
    } catch (error) {
      const reason = shownName((error as Error).message);
      warnOnce(`public names do not follow their apps yet: ${reason}; boxgate-heartbeat.timer tries again`);
    }
  });
  const change = async (name: 'holdPorts' | 'releasePorts' | 'shutPorts', directory: string) => {
    if (!existsSync(file)) return false;
    try {
      await (await import('../box/addresses/hold-ports.ts'))[name](await makeTunnel(stateDir), directory);
    } catch (error) {
      warn(`the published ports of ${shownName(directory)} stay as they are: ${shownName((error as Error).message)}`);
    }
    return true;
  };
  return {
    follow,
    urls: makeUrls(stateDir, file),
    shut(directory) {
      void change('shutPorts', directory).then((isDone) => isDone && follow());
    },
    async problems() {
      try {
        const tunnel = await makeTunnel(stateDir);
        if (tunnel.files.read() === null) return null;
        const { tunnelStatus } = await import('../box/addresses/status.ts');
        const { tunnel: state, tunnel_problem: own, problem, name_problems: names } = await tunnelStatus(tunnel);
        const ofTunnel = own === null ? null : `the tunnel is ${state}: ${own}`;
        return [ofTunnel, problem, ...names].flatMap((text) => (text === null ? [] : [shownName(text)]));
      } catch (error) {
        return [shownName((error as Error).message)];
      }
    },
    async hold(directory) {
      await change('holdPorts', directory);
    },
    async release(directory) {
      if (await change('releasePorts', directory)) follow();
    },
    async withdrawRemoved() {
      if (!existsSync(file)) return [];
      const { followApps } = await import('../box/addresses/follow-apps.ts');
      const over = new AbortController();
      const late = pause(withinMs, null, { signal: over.signal, ref: false }).then(() => {
        throw new Error(`it takes longer than ${withinMs / 1000} s`);
      });
      try {
        const { lines } = await Promise.race([followApps(await makeTunnel(stateDir)), late]);
        return lines.map(shownName);
      } catch (error) {
        const reason = shownName((error as Error).message);
        return [
          `the public route of a removed app is not withdrawn yet: ${reason}; boxgate-heartbeat.timer tries again`,
        ];
      } finally {
        late.catch(() => undefined);
        over.abort();
      }
    },
  };
}

/** The box is this process, so it closes ports itself if Docker does not answer. */
async function makeBoxTunnel(stateDir: string): Promise<TunnelPorts> {
  const { makeTunnel } = await import('./make-tunnel.ts');
  return { ...makeTunnel(stateDir), isBoxRunning: () => false };
}

/** Runs a task in the background, and once more if it is asked for meanwhile. */
function makeFollower(task: () => Promise<void>): () => void {
  let state: 'idle' | 'running' | 'again' = 'idle';
  const run = async () => {
    do {
      state = 'running';
      await task();
    } while ((state as string) === 'again');
    state = 'idle';
  };
  return () => {
    if (state === 'idle') void run();
    else state = 'again';
  };
}

/** Reads the file again only when it changed. A damaged file is reported by the commands of the tunnel. */
function makeUrls(stateDir: string, file: string): () => Urls {
  const openPorts = makeOpenPorts(stateDir);
  const none: Urls = new Map();
  let stamp = '';
  let urls = none;
  return () => {
    try {
      const { ino = 0, size = 0, mtimeMs = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
      const now = `${ino} ${size} ${mtimeMs}`;
      if (now === stamp) return urls;
      stamp = now;
      urls = urlsOf(openPorts.read());
    } catch {
      urls = none;
    }
    return urls;
  };
}

function urlsOf(rows: readonly OpenPort[]): Urls {
  const published = rows.filter(({ appDirectory, isClosed }) => appDirectory !== null && !isClosed);
  const byApp = Map.groupBy(published, ({ appDirectory }) => String(appDirectory));
  return new Map([...byApp].map(([directory, own]) => [directory, own.map(({ host }) => `https://${host}`)]));
}
