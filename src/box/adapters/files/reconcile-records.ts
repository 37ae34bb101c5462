import { join, resolve } from 'node:path';
import { onStorage, readRegularFile } from '../../../lib/files/storage.ts';
import { writeFileAtomic } from '../../../lib/files/write-file.ts';
import type { AppRecord, ReconcileRecords } from '../../core.ts';

/**
 * Raised when the meaning of the file changes. A file of another format counts as absent, which costs one `up` for each
 * app.
 */
const format = 4;
const largestBytes = 64 * 1024 * 1024;

/** One file for all apps, read each time: another process may have written it since. */
export function makeReconcileRecords(stateDirectory: string): ReconcileRecords {
  const path = join(resolve(stateDirectory), 'reconciled.json');
  return {
    load() {
      const bytes = readRegularFile(path, largestBytes, 'refused');
      if (bytes === null) return new Map();
      try {
        const content = JSON.parse(Buffer.from(bytes).toString('utf8'));
        if (content.format !== format) return new Map();
        return new Map(Object.entries<AppRecord>(content.apps).filter(([, record]) => isRecord(record)));
      } catch {
        return new Map(); // A damaged file only costs the next reconcile one `up` for each app.
      }
    },
    save: (records) =>
      onStorage(`cannot write ${path}`, async () => {
        const content = { format, apps: Object.fromEntries([...records].sort()) };
        await writeFileAtomic(path, `${JSON.stringify(content)}\n`, 0o600);
      }),
  };
}

/** Whether a record has the fields that a plan reads; damaged records are dropped. */
function isRecord({ facts, model, inputs, replaced, containers }: AppRecord): boolean {
  const isModel = model === null || typeof model.services === 'object';
  return isModel && typeof inputs === 'object' && [facts.files, replaced, containers].every(Array.isArray);
}
