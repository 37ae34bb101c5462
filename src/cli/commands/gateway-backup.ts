import type { makeBackupCommands } from '../../gateway/backup/backup-commands.ts';
import type { Call, Command } from '../command.ts';
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

export const gatewayBackupCommands: readonly Command[] = [
  {
    usage: 'gateway backup key',
    summary: 'print the key of the backups, to keep it in another place',
    settings: repositorySettings,
    run: onBackups((commands) => commands.key()),
  },
  {
    usage: 'gateway backup make',
    summary: 'back up store, settings, routes and the keys of wg-easy; the gateway may be running',
    settings: placeSettings,
    run: onBackups((commands) => commands.make()),
  },
  {
    usage: 'gateway backup list',
    summary: 'list the backups of gateways',
    settings: repositorySettings,
    run: onBackups((commands) => commands.list()),
  },
  {
    usage: 'gateway backup restore [ID]',
    summary: 'restore a stopped gateway, here or on another server, from its latest backup or the backup ID',
    settings: { ...placeSettings, keepSettings },
    run: onBackups((commands, call) => commands.restore(call.words[0] ?? null, read(keepSettings, call))),
  },
];
