import type { Observer } from '../core.ts';
import { openPortsOf } from '../engine/app-states.ts';
import type { EngineBox } from '../engine/ports.ts';
import { isAppName } from '../rules/manifest/app-name.ts';
import { declaredPort, publishedPort } from './rules/app-port.ts';

/** What the public addresses need of the apps of the box. */
export type AppsOfBox = Pick<EngineBox, 'apps' | 'states'> & { observer: Pick<Observer, 'look'> };

/**
 * The directory of an app, and its port: that which it publishes now, or if Docker does not answer that which its manifest
 * declares, with a warning. Throws if there is not exactly one.
 * @param port - the port that the owner names; `null` if none
 */
export async function placeOfApp(
  box: AppsOfBox,
  app: string,
  port: number | null,
  warn: (text: string) => void,
): Promise<{ port: number; appDirectory: string | null }> {
  const appDirectory = installedApp(box, app)?.path ?? null;
  return { port: port ?? (await portOfApp(box, app, warn)), appDirectory };
}

function installedApp({ apps }: Pick<AppsOfBox, 'apps'>, app: string) {
  return isAppName(app) ? apps.one('installed', app) : null;
}

async function portOfApp(box: AppsOfBox, app: string, warn: (text: string) => void): Promise<number> {
  const installed = installedApp(box, app);
  if (installed === null) return declaredPort(app, null);
  const published = await openPortsOf(box, app);
  if (published !== null) return publishedPort(app, published);
  const declared = installed.manifest?.ports.map((entry) => (typeof entry === 'number' ? entry : entry.port)) ?? [];
  const port = declaredPort(app, declared);
  warn(`Docker does not answer: port ${port} is what the manifest of ${app} declares, not what it publishes now`);
  return port;
}
