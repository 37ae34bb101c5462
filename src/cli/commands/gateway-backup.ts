import type { makeBackupCommands } from '../../gateway/backup/backup-commands.ts';
import { type Call, type Command, command } from '../command.ts';
import {
  keepSettings,
  placeSettings,
  readBackupPlace,
  readRepositorySettings,
  repositorySettings,
} from '../settings/gateway-backup-settings.ts';
import { settingsFile } from '../settings/gateway-settings.ts';
import { operatorVariables } from '../settings/operator-variables.ts';
import { read } from '../settings/setting.ts';

/** Work with the settings of the flags and of the file that the service reads. */
const onBackups =
  (work: (commands: ReturnType<typeof makeBackupCommands>, call: Call) => ReturnType<Command['run']>): Command['run'] =>
  async (call) => {
    const source = () => ({ flags: call.flags, env: operatorVariables(call.env, settingsFile) });
    const { makeBackupCommands } = await import('../../gateway/backup/backup-commands.ts');
    const commands = makeBackupCommands(readRepositorySettings(source()), () => readBackupPlace(source()), call.env);
    return work(commands, call);
  };

// biome-ignore format: a command is a row
export const gatewayBackupCommands: readonly Command[] = [
  command('gateway backup key', 'print the key of the backups, to keep it in another place',
    repositorySettings, onBackups((commands) => commands.key())),
  command('gateway backup make', 'back up store, settings, routes and the keys of wg-easy; the gateway may be running',
    placeSettings, onBackups((commands) => commands.make())),
  command('gateway backup list', 'list the backups of gateways',
    repositorySettings, onBackups((commands) => commands.list())),
  command('gateway backup restore [ID]',
    'restore a stopped gateway, here or on another server, from its latest backup or the backup ID',
    { ...placeSettings, keepSettings },
    onBackups((commands, call) => commands.restore(call.words[0] ?? null, read(keepSettings, call)))),
];
