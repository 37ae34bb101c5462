import { openPortsOf } from '../engine/app-states.ts';
import type { BoxPorts, Observer } from '../ports.ts';
import { declaredPort, publishedPort } from './rules/app-port.ts';

/** What the public addresses need of the apps of the box. */
export type AppsOfBox = Pick<BoxPorts, 'apps' | 'states'> & {
  observer: Pick<Observer, 'look'>;
  selfUpdate: { updateFiles: Pick<BoxPorts['selfUpdate']['updateFiles'], 'readRunning'> };
};

/**
 * What a publication takes from the box. Without `port` it is the one that the app publishes now, or if Docker does not
 * answer the one that its manifest declares, with a warning. Throws if there is not exactly one.
 * @param usualPort - the port of the management page while the box's server does not run
 */
export async function placeOfApp(
  box: AppsOfBox,
  { app, port, usualPort }: { app: string; port: number | null; usualPort: number },
  warn: (text: string) => void,
): Promise<{ port: number; appDirectory: string | null; boxPort: number }> {
  const installed = box.apps.one('installed', app);
  const running = await box.selfUpdate.updateFiles.readRunning();
  return {
    port: port ?? (await portOfApp(box, app, warn)),
    appDirectory: installed?.path ?? null,
    boxPort: running === null ? usualPort : Number(URL.parse(running.address)?.port) || usualPort,
  };
}

async function portOfApp(box: AppsOfBox, app: string, warn: (text: string) => void): Promise<number> {
  const installed = box.apps.one('installed', app);
  if (installed === null) return declaredPort(app, null);
  const published = await openPortsOf(box, app);
  if (published !== null) return publishedPort(app, published);
  const declared = installed.manifest?.ports.map((entry) => (typeof entry === 'number' ? entry : entry.port)) ?? [];
  const port = declaredPort(app, declared);
  warn(`Docker does not answer: port ${port} is what the manifest of ${app} declares, not what it publishes now`);
  return port;
}
