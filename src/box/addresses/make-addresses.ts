import type { EngineBox } from '../engine/ports.ts';
import { makeOpenPorts } from './adapters/open-ports.ts';
import type { AppsOfBox } from './place-of-app.ts';
import type { Addresses, OpenPort, OpenPorts } from './ports.ts';

/**
 * The public addresses of a box. Most boxes have none, so everything but the list of their names is loaded on demand.
 * @param usualPort - the port of the management page while the box's server does not run
 */
export function makeAddresses(
  box: AppsOfBox & Pick<EngineBox, 'warn' | 'stateDirectory'> & { changes: { isUnderWay(): Promise<boolean> } },
  usualPort: number,
): Addresses {
  const openPorts = makeOpenPorts(box.stateDirectory);
  const load = async () => {
    const { makeTunnel } = await import('./make-tunnel.ts');
    const { publicNames } = await import('./public-names.ts');
    const containers = async () => {
      const { containers, failure } = await box.observer.look();
      return failure === null ? containers : null;
    };
    const { isUnderWay: isChanging } = box.changes;
    const tunnel = { ...makeTunnel(box.stateDirectory, usualPort), containers, isChanging, warn: box.warn };
    return { tunnel, names: publicNames(tunnel) };
  };
  let loaded: ReturnType<typeof load> | null = null;
  const all = () => {
    loaded ??= load();
    return loaded;
  };
  const names = async () => (openPorts.stamp() === '' ? null : (await all()).names);
  return {
    urls: makeUrls(openPorts),
    follow: async () => (await names())?.follow(),
    shut: async (directory) => (await names())?.shut(directory),
    hold: async (directory) => (await names())?.hold(directory),
    release: async (directory) => (await names())?.release(directory),
    withdrawRemoved: async () => (await names())?.withdrawRemoved() ?? [],
    problems: async () => (await all()).names.problems(),
    tunnel: async () => (await all()).tunnel,
  };
}

type Urls = ReturnType<Addresses['urls']>;

/** Reads the file again only when it changed. A damaged file is reported by the commands of the tunnel. */
function makeUrls(openPorts: OpenPorts): () => Urls {
  let stamp = '';
  let urls: Urls = new Map();
  return () => {
    try {
      const now = openPorts.stamp();
      if (now === stamp) return urls;
      stamp = now;
      urls = urlsOf(openPorts.read());
    } catch {
      urls = new Map();
    }
    return urls;
  };
}

function urlsOf(rows: readonly OpenPort[]): Urls {
  const published = rows.filter(({ appDirectory, isClosed }) => appDirectory !== null && !isClosed);
  const byApp = Map.groupBy(published, ({ appDirectory }) => String(appDirectory));
  return new Map([...byApp].map(([directory, own]) => [directory, own.map(({ host }) => `https://${host}`)]));
}
