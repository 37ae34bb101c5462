import type { Observer } from '../core.ts';
import { openPortsOf } from '../engine/app-states.ts';
import type { EngineBox } from '../engine/ports.ts';
import { isAppName } from '../rules/manifest/app-name.ts';
import { declaredPort, publishedPort } from './rules/app-port.ts';

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
  const installed = isAppName(app) ? box.apps.one('installed', app) : null;
  const appDirectory = installed?.path ?? null;
  if (port !== null) return { port, appDirectory };
  if (installed === null) throw new Error(`${app} is no installed app with a manifest; name its port with --port`);
  const published = await openPortsOf(box, app);
  if (published !== null) return { port: publishedPort(app, published), appDirectory };
  const entries = installed.manifest?.ports ?? [];
  const declared = declaredPort(
    app,
    entries.map((entry) => (typeof entry === 'number' ? entry : entry.port)),
  );
  warn(`Docker does not answer: port ${declared} is what the manifest of ${app} declares, not what it publishes now`);
  return { port: declared, appDirectory };
}
