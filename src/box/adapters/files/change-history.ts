import { appendFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { lstatIfThere, readRegularFile } from '../../../lib/files/storage.ts';
import { writeFileAtomic } from '../../../lib/files/write-file.ts';
import type { ChangeHistory } from '../../apps/ports.ts';
import { isAppName } from '../../rules/manifest/app-name.ts';
import { type AppChangeLine, latestChanges, parseChanges } from '../../rules/text/past-changes.ts';

const largestFileBytes = 512 * 1024;
/** Lines that are left when the file was too large. */
const mostLines = 1000;
const mostDetail = 300;

/**
 * `changes.jsonl`: a line for each change, appended by every process of the box. A line begins with its line end, so
 * that it does not continue one that a kill cut off.
 */
export function makeChangeHistory(stateDirectory: string, now: () => Date): ChangeHistory {
  const file = join(resolve(stateDirectory), 'changes.jsonl');
  const read = () => {
    const bytes = readRegularFile(file, 2 * largestFileBytes, 'refused');
    return latestChanges(parseChanges(Buffer.from(bytes ?? []).toString('utf8')));
  };
  let isShortening = false;
  const shorten = async () => {
    if (isShortening || (lstatIfThere(file)?.size ?? 0) <= largestFileBytes) return;
    isShortening = true;
    try {
      await writeFileAtomic(file, read().slice(-mostLines).map(textOf).join(''), 0o600);
    } catch {
      // The next change tries again.
    }
    isShortening = false;
  };

  return {
    add({ subject: app, operation, by, outcome, detail, durationMs }) {
      if (!isAppName(app) || outcome === 'refused') return;
      const line = { app, at: now().toISOString(), operation, by, outcome, detail, durationMs: Math.round(durationMs) };
      try {
        appendFileSync(file, textOf({ ...line, detail: detail.slice(0, mostDetail).toWellFormed() }), { mode: 0o600 });
        void shorten();
      } catch {
        // The journal has the change; a full disk only loses its line in the app's room.
      }
    },
    of: (app) =>
      read()
        .filter((line) => line.app === app)
        .reverse(),
  };
}

function textOf(line: AppChangeLine): string {
  return `\n${JSON.stringify(line)}`;
}
