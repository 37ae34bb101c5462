import { resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import packageFile from '../../package.json' with { type: 'json' };
import { askServer } from '../box/adapters/server-states.ts';
import { makeBackupWork } from '../box/backup/rooms/backup-work.ts';
import type { BoxSettings } from '../box/box-settings.ts';
import { onFirstUse, ownNames } from '../box/own-names.ts';
import { makeBox } from '../box/server.ts';
import { serveUntilSignal } from '../http/serve.ts';
import { makeStateDirectory } from '../lib/files/storage.ts';
import { shareWork } from '../lib/share-work.ts';
import { renderConsole } from './page/render.ts';
import { makeRooms } from './rooms.ts';
import { withServerStates } from './server-states.ts';
import { consoleService } from './service.ts';

const { version } = packageFile;

/** The settings of the box, and the console's own address. */
export type ConsoleSettings = BoxSettings & { consoleHost: string; consolePort: number };

/**
 * Serves the console until a signal comes. It shares the state directory with the server of the box, which alone watches
 * Docker, retries, purges and reconciles.
 */
export async function serveConsole(settings: ConsoleSettings): Promise<void> {
  // A fast log would let V8 enlarge the space for new objects, and keep the buffers that it was read into until that is full.
  setFlagsFromString('--semi-space-growth-factor=1');
  makeStateDirectory(resolve(settings.stateDir));
  const own = makeBox(settings);
  const askStates = shareWork(async () => {
    const running = await own.selfUpdate.updateFiles.readRunning();
    return running === null ? null : askServer(running.address);
  });
  const box = withServerStates(own, askStates);
  const names = ownNames({ ...settings, port: settings.consolePort }, box);
  let isStopping = false;
  const work = makeBackupWork(box, () => isStopping);
  const rooms = await makeRooms(box, work);
  const page = onFirstUse(() => renderConsole(version, rooms));
  await serveUntilSignal({
    host: settings.consoleHost,
    port: settings.consolePort,
    setting: 'BOX_CONSOLE_PORT in /etc/boxgate/box.env (or --port)',
    service: consoleService({ box, rooms, page, askStates }, names, version),
    onListening({ port }) {
      names.port = port;
    },
    // Like the commands: waits only for an app that is away. The server of the box finishes what is cut off.
    async onStopping() {
      isStopping = true;
      return work.latest()?.result !== null || box.backup.files.journal() !== null;
    },
  });
}
