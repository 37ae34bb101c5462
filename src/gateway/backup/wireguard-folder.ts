import { adminEnv } from '../../lib/admin-env.ts';
import { ignore } from '../../lib/ignore.ts';
import { isJsonObject, parseJson } from '../../lib/json.ts';
import { CommandFailed, runCommand } from '../../lib/process/run-command.ts';

/** The folder in which wg-easy keeps the tunnels' keys and peers. */
export type WireguardFolder = {
  path: string;
  /** The name of the container that runs on it; `null` if none is known. */
  runningIn: string | null;
};

const inContainer = '/etc/wireguard';
const dockerMs = 30_000;

/** The folder of the setting, else that of a container which mounts /etc/wireguard; `null` if there is none. */
export async function findWireguardFolder(named: string | null): Promise<WireguardFolder | null> {
  if (named !== null) return { path: named, runningIn: null };
  const ids = (await docker(['ps', '-aq', '--filter', `volume=${inContainer}`])).split(/\s+/).filter((id) => id !== '');
  return ids.length === 0 ? null : wireguardFolderOf(await docker(['inspect', ...ids]));
}

/** Reads the answer of `docker inspect`. Throws if several folders could be meant. */
export function wireguardFolderOf(inspected: string): WireguardFolder | null {
  const containers = parseJson(inspected);
  const found = (Array.isArray(containers) ? containers : []).flatMap(({ Name, State, Mounts }) => {
    const mount = (Array.isArray(Mounts) ? Mounts : []).find(({ Destination }) => Destination === inContainer);
    const name = String(Name).replace(/^\//, '');
    const isRunning = isJsonObject(State) && State.Running === true;
    return typeof mount?.Source === 'string' ? [{ path: mount.Source, runningIn: isRunning ? name : null, name }] : [];
  });
  if (new Set(found.map(({ path }) => path)).size > 1) {
    const names = found.map(({ name }) => name).join(' and ');
    throw new Error(`the containers ${names} have a folder at ${inContainer}: name one with GATEWAY_WIREGUARD_DIR`);
  }
  const used = found.find(({ runningIn }) => runningIn !== null) ?? found[0];
  return used === undefined ? null : { path: used.path, runningIn: used.runningIn };
}

/** Without Docker, or while it does not answer, no container is found. */
async function docker(args: readonly string[]): Promise<string> {
  const asked = runCommand(['docker', ...args], { cwd: '/', env: adminEnv, timeoutMs: dockerMs });
  return asked.then(
    ({ stdout }) => stdout,
    ignore(CommandFailed, () => ''),
  );
}
