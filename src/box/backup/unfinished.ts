import type { BackupPorts } from '../backup-ports.ts';

/** Whether a backup, restore or update was cut off, or waits until it can be finished. */
export function isUnfinished({ files, waiting }: Pick<BackupPorts, 'files' | 'waiting'>): boolean {
  return files.journal() !== null || waiting.apps().length > 0;
}
