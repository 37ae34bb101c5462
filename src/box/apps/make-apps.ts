import { makeChangeHistory } from '../adapters/files/change-history.ts';
import { makeKeptFiles } from '../adapters/files/kept-files.ts';
import { makeInstallFiles } from '../change/adapters/install-files.ts';
import { makeTrash } from '../change/adapters/trash.ts';
import type { Base } from '../make-base.ts';

export function makeApps({ directories, work, now }: Base, { keepRemovedDays }: { keepRemovedDays: number }) {
  return {
    installFiles: makeInstallFiles(directories, work),
    keptFiles: makeKeptFiles(directories),
    trash: makeTrash(directories, work, now),
    history: makeChangeHistory(directories.state, now),
    keepRemovedDays,
  };
}
