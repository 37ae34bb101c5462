import { join } from 'node:path';
import packageFile from '../../../package.json' with { type: 'json' };
import type { CommandResult } from '../../lib/command-result.ts';
import { type NamedRepository, placeAt } from '../../restic/open-place.ts';
import { onFault, type Snapshot } from '../../restic/ports.ts';
import { makeRepository } from '../../restic/repository.ts';
import { type BackupPlace, gatewayTag, tagOf } from './backup-facts.ts';
import { makeBackup } from './make-backup.ts';
import { restoreBackup } from './restore-backup.ts';

/** The commands below `gateway backup`. */
export function makeBackupCommands(settings: NamedRepository, readPlace: () => BackupPlace, env: NodeJS.ProcessEnv) {
  const { address, variablesFile, stateDirectory } = settings;
  const repository = makeRepository({ place: () => placeAt(address, variablesFile), stateDirectory }, env);
  const explain = explainKey(stateDirectory);
  const done = async (work: Promise<string>): Promise<CommandResult> => ({
    status: 0,
    text: await work.catch(explain),
  });
  return {
    key: () => done(repository.key().then(keyText)),
    make: () => done(makeBackup(repository, readPlace(), packageFile.version)),
    list: () => done(repository.snapshots(gatewayTag).then(backupLines)),
    restore: (id: string | null, keepsSettings: boolean) =>
      done(restoreBackup(repository, id, readPlace, keepsSettings)),
  };
}

function keyText(key: string): string {
  return [
    key,
    '',
    'This is the key of the backups of this gateway. Whoever loses this server and this key loses the backups.',
    'Keep a copy in another place, such as a password manager or on paper. Whoever has it can read the backups.',
  ].join('\n');
}

/** A new server has no key yet. */
function explainKey(stateDirectory: string) {
  return onFault(['no-key'], (error) => {
    const file = join(stateDirectory, 'backup.key');
    throw new Error(`there is no key of the backups here: write the key into ${file}, mode 0600`, { cause: error });
  });
}

function backupLines(snapshots: readonly Snapshot[]): string {
  if (snapshots.length === 0) return 'there are no backups of a gateway';
  const rows = snapshots.map(({ shortId, time, tags }) => {
    const made = time.toISOString().replace(/\.\d+Z$/, 'Z');
    return [shortId, made, tagOf(tags, 'boxes').padEnd(5), tagOf(tags, 'version').padEnd(7), tagOf(tags, 'server')];
  });
  return [['ID      ', 'MADE                ', 'BOXES', 'VERSION', 'SERVER'], ...rows]
    .map((row) => row.join('  '))
    .join('\n');
}
