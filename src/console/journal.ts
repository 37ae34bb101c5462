import type { Outcome } from '../lib/journal.ts';
import type { OperationId } from './validators.gen.ts';

/** The operations that change something, with their verbs in the journal. */
export const changeVerbs: Readonly<Partial<Record<OperationId, string>>> = {
  restartApp: 'restart',
  undoAppSettings: 'undo settings',
  restoreRemovedApp: 'restore from the trash',
  deleteRemovedApp: 'delete from the trash',
  removeReplacedImages: 'remove replaced images',
  acceptDisks: 'accept disks',
  setAppUpdates: 'set app updates',
  setNotifications: 'set notifications',
  joinGateway: 'join a gateway',
  publishApp: 'publish',
  withdrawRoute: 'withdraw a public address',
  makeBackup: 'backup',
  restoreBackup: 'restore from a backup',
  rehearseBackup: 'rehearse a backup',
  setBackupSchedule: 'schedule of backups',
  showBackupKey: 'show the key of the backups',
};

/** Derives the outcome from a reply. */
export function outcomeOfBody({ ok, text }: { ok?: boolean; text?: string }): Outcome {
  const [detail = ''] = (text ?? '').split('\n', 1);
  return ok === false ? { outcome: 'ok', isPartial: true, detail } : { outcome: 'ok', detail };
}
