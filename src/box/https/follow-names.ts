import { again } from '../../lib/coalesce.ts';
import { shownName } from '../../lib/shown-text.ts';
import type { Core } from '../core.ts';
import type { HttpsBox } from './https-box.ts';
import { CaddyFailed } from './ports.ts';
import { type HttpsSetting, type Site, sitesOf } from './rules/names.ts';
import { labelsIn, siteFiles } from './rules/site-files.ts';

export type NamesBox = Pick<HttpsBox, 'https' | 'apps' | 'states' | 'selfUpdate' | 'stateDirectory'>;

const usualBox = '127.0.0.1:7000';

/** Caddy's files as the latest look at the containers has them. */
export async function plannedNames(
  { https, apps, states, selfUpdate, stateDirectory }: NamesBox,
  setting: HttpsSetting,
): Promise<{ present: Map<string, string>; wanted: Map<string, string>; sites: Site[] }> {
  const present = https.read();
  const installed = apps.all('installed');
  const shown = states.of(installed);
  const named = installed.map(({ name }) => {
    const { state = 'unknown', open_ports: ports = [] } = shown.get(name) ?? {};
    return { name, state, ports, bound: states.boundPorts(name) };
  });
  const sites = sitesOf(named, labelsIn(present.keys()));
  const running = await selfUpdate.updateFiles.readRunning();
  const box = running === null ? usualBox : new URL(running.address).host;
  const wanted = siteFiles(
    setting,
    {
      ...{ template: https.pageTemplate(), consoleAddress: https.consoleAddress, folder: https.folder },
      ...{ box, stateDirectory },
    },
    sites,
    present,
  );
  return { present, wanted, sites };
}

/**
 * Brings Caddy's files in line with the apps, and reloads Caddy. Files that Caddy refuses change nothing. If Caddy does
 * not run, its next start reads the new ones. Throws a CaddyFailed or a StorageFailed.
 * @param isDue - also reloads if the files are right already
 */
export async function followNames(box: NamesBox, isDue: boolean): Promise<void> {
  const { https } = box;
  if (https.setting() === null) return;
  await https.inTurn(async () => {
    const setting = https.setting();
    if (setting === null) return;
    const { present, wanted } = await plannedNames(box, setting);
    const isSame = isSameFiles(present, wanted);
    if (isSame && !isDue) return;
    if (!isSame) {
      await https.caddy.validate(wanted);
      await https.write(wanted);
    }
    try {
      await https.caddy.reload(setting.caddyfile, false);
    } catch (error) {
      if (!(error instanceof CaddyFailed && error.isAway)) await https.write(present);
      throw error;
    }
  });
}

export function isSameFiles(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([name, text]) => other.get(name) === text);
}

/** Lets the names follow the apps in the background. A failure is warned of once, and the next call tries again. */
export function makeNameFollower(box: NamesBox & Pick<Core, 'warn'>): () => void {
  let isDue = true;
  return again(
    async () => {
      const isReload = isDue;
      isDue = true;
      await followNames(box, isReload);
      isDue = false;
    },
    (reason) => box.warn(`the names with HTTPS do not follow their apps yet: ${shownName(reason)}`),
  );
}
