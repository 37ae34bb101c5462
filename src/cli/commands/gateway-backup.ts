import { type Command, tell } from '../command.ts';
import {
  keepSettings,
  placeSettings,
  readBackupPlace,
  readRepositorySettings,
  repositorySettings,
} from '../settings/gateway-backup-settings.ts';
import { storeSecret } from '../settings/gateway-settings.ts';
import { operatorVariables } from '../settings/operator-variables.ts';
import { type GivenFlags, given } from '../settings/setting.ts';

/** The commands with the settings of the flags and of the file that the service reads. */
async function prepare(flags: GivenFlags, env: NodeJS.ProcessEnv) {
  const variables = () => operatorVariables(env, '/etc/boxgate/gateway.env');
  const readPlace = () => readBackupPlace(flags, variables());
  const { makeBackupCommands } = await import('../../gateway/backup/backup-commands.ts');
  return makeBackupCommands(readRepositorySettings(flags, variables()), readPlace, env);
}

export const gatewayBackupCommands: readonly Command[] = [
  {
    words: 'gateway backup key',
    summary: 'print the key of the backups, to keep it in another place',
    settings: repositorySettings,
    run: async (flags, _words, env) => tell(await (await prepare(flags, env)).key()),
  },
  {
    words: 'gateway backup make',
    summary: 'back up store, settings, routes and the keys of wg-easy; the gateway may be running',
    settings: placeSettings,
    secrets: [storeSecret],
    run: async (flags, _words, env) => tell(await (await prepare(flags, env)).make()),
  },
  {
    words: 'gateway backup list',
    summary: 'list the backups of gateways',
    settings: repositorySettings,
    run: async (flags, _words, env) => tell(await (await prepare(flags, env)).list()),
  },
  {
    words: 'gateway backup restore',
    mayTake: ['ID'],
    summary: 'restore a stopped gateway, here or on another server, from its latest backup or the backup ID',
    settings: { ...placeSettings, keepSettings },
    secrets: [storeSecret],
    async run(flags, [id = null], env) {
      const commands = await prepare(flags, env);
      return tell(await commands.restore(id, given(keepSettings, flags, env) ?? false));
    },
  },
];
