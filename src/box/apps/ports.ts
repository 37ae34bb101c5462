/** The ports of the changes of apps: their files, the trash, and the history of changes. */

import type { ChangeEntry } from '../../lib/journal.ts';
import type { InstallFiles, Trash } from '../change/ports.ts';
import type { EngineBox } from '../engine/ports.ts';
import type { AppChangeLine } from '../rules/text/past-changes.ts';

export type AppsBox = EngineBox & {
  installFiles: InstallFiles;
  keptFiles: KeptFiles;
  trash: Trash;
  keepRemovedDays: number;
  history: ChangeHistory;
};

/** The latest changes of each app, from all processes of the box. */
export type ChangeHistory = {
  /** Never throws; a change is not held up by its history. */
  add(entry: ChangeEntry): void;
  /** The latest changes of an app, the newest first. Throws StorageFailed. */
  of(app: string): AppChangeLine[];
};

/** The files of an app that an upgrade replaced. Every failure is a StorageFailed. */
export type KeptFiles = {
  /** The paths of the owner's versions, such as `compose.yaml.kept`, each with the path of the file that replaced it. */
  list(app: string): { kept: string; file: string }[];
  /** The lines that differ, as `diff -u` shows them; `null` if one of the files is too large or no text file. */
  difference(app: string, pair: { kept: string; file: string }): Promise<string | null>;
};
