import { attempt } from '../../lib/ignore.ts';
import type { EngineBox } from '../engine/ports.ts';
import { makeTunnel } from './make-tunnel.ts';
import type { AppsOfBox } from './place-of-app.ts';
import type { Addresses, OpenPort, OpenPorts } from './ports.ts';
import { publicNames } from './public-names.ts';

/**
 * The public addresses of a box.
 * @param usualPort - the port of the management page while the box's server does not run
 */
export function makeAddresses(
  box: AppsOfBox & Pick<EngineBox, 'warn' | 'stateDirectory'> & { changes: { isUnderWay(): Promise<boolean> } },
  usualPort: number,
): Addresses {
  const containers = async () => {
    const { containers, failure } = await box.observer.look();
    return failure === null ? containers : null;
  };
  const { isUnderWay: isChanging } = box.changes;
  const tunnel = { ...makeTunnel(box.stateDirectory, usualPort), containers, isChanging, warn: box.warn };
  return { ...publicNames(tunnel), urls: makeUrls(tunnel.files.openPorts), tunnel };
}

type Urls = ReturnType<Addresses['urls']>;

const noRows: readonly OpenPort[] = [];

/** A damaged file is reported by the commands of the tunnel. */
function makeUrls({ read }: OpenPorts): () => Urls {
  let known = { rows: noRows, urls: urlsOf(noRows) };
  return () => {
    const rows = attempt(read, Error, () => noRows);
    if (rows !== known.rows) known = { rows, urls: urlsOf(rows) };
    return known.urls;
  };
}

function urlsOf(rows: readonly OpenPort[]): Urls {
  const published = rows.filter(({ appDirectory, isClosed }) => appDirectory !== null && !isClosed);
  const byApp = Map.groupBy(published, ({ appDirectory }) => String(appDirectory));
  return new Map([...byApp].map(([directory, own]) => [directory, own.map(({ host }) => `https://${host}`)]));
}
