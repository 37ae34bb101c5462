import type { CommandResult } from '../../lib/command-result.ts';
import { ResticFailed, type Snapshot } from '../../restic/ports.ts';
import type { AppsBox } from '../apps/ports.ts';
import { reconcile } from '../engine/reconcile.ts';
import { appOutcome } from '../engine/rules/outcomes.ts';
import { momentText } from '../rules/text/amounts.ts';
import { type ReturnedBox, restoreOwnApps, returnedBoxTexts } from './box-copy.ts';
import { restoreFromBackup } from './restore-app.ts';
import { backupWarnings, boxItself, type Latest, latestBackups } from './rules/latest-backup.ts';
import { toldFailure } from './told-failure.ts';

/** How an app came back. `app` is empty for what concerns all; `ofBox` is of `boxItself`. */
export type Return = { app: string; result: CommandResult; ofBox?: ReturnedBox };

export type ReturnOptions = {
  /** Chosen names of apps and `boxItself`; without it all. */
  chosen?: ReadonlySet<string>;
  /** Called before each app. */
  begins?(app: string, number: number, of: number): void;
  /** Asked between apps. */
  isStopping?(): boolean;
  tell(one: Return): unknown;
};

/**
 * Brings apps back that are not installed, each from its latest backup, as on a new machine. An app whose latest backup
 * was made by its removal comes back only if it is chosen. Returns the exit status of the command: 1 if an app failed.
 */
export async function bringBack(box: AppsBox, options: ReturnOptions): Promise<number> {
  const { chosen, begins, isStopping = () => false, tell } = options;
  const snapshots = await box.backup.repository.snapshots();
  const latest = latestBackups(snapshots, box.now());
  const warnings = backupWarnings(snapshots, box.now());
  if (latest.size === 0) {
    const none = `there is no backup at ${box.backup.repository.shownAddress}`;
    throw new ResticFailed([none, ...warnings].join('; '), 'no-snapshot');
  }
  for (const text of warnings) tell({ app: '', result: { status: 1, text } });
  const isWanted = (app: string) => chosen?.has(app) ?? true;
  let status = isWanted(boxItself) ? await bringBoxBack(box, snapshots, tell) : 0;
  const wanted = [...latest].filter(([app]) => isWanted(app)).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [index, [app, one]] of wanted.entries()) {
    if (isStopping()) return 1;
    begins?.(app, index + 1, wanted.length);
    const result = await restoreOne(box, one, chosen !== undefined);
    status = Math.max(status, result.status);
    tell({ app, result });
  }
  return status;
}

async function bringBoxBack(box: AppsBox, all: readonly Snapshot[], tell: ReturnOptions['tell']): Promise<number> {
  try {
    const ofBox = await restoreOwnApps(box, all);
    const text = ofBox === null ? '' : returnedBoxTexts(ofBox).join('\n');
    if (ofBox !== null && text !== '') tell({ app: boxItself, result: { status: 0, text }, ofBox });
    return 0;
  } catch (error) {
    tell({ app: boxItself, result: { status: 1, text: toldFailure(error) } });
    return 1;
  }
}

async function restoreOne(box: AppsBox, { snapshot, tags }: Latest, isChosen: boolean): Promise<CommandResult> {
  const { app, isRemoved, isIncomplete } = tags;
  if (box.apps.one('installed', app) !== null) {
    return isChosen ? broughtUp(box, app) : { status: 0, text: 'is installed already, and stays as it is' };
  }
  if (isRemoved && !isChosen) {
    const text = `was removed at ${momentText(snapshot.time)}, so it is left out; boxgate box backup restore ${app} brings it back`;
    return { status: 0, text };
  }
  try {
    const { status, text } = await restoreFromBackup(box, app, snapshot.id);
    const lacks = isIncomplete ? ['  some files could not be read when the backup was made'] : [];
    return { status, text: [text, ...lacks].join('\n') };
  } catch (error) {
    return { status: 1, text: `was not restored: ${toldFailure(error)}` };
  }
}

/** An app that came back and did not run, because its program could not be downloaded, is tried again. */
async function broughtUp(box: AppsBox, app: string): Promise<CommandResult> {
  const { isUp, ending, lines } = appOutcome(app, await box.changes.run(() => reconcile(box, app)));
  return { status: isUp ? 0 : 1, text: [`${app} is installed${ending}`, ...lines].join('\n') };
}

/** The lines of a command about what came back. */
export function returnText({ app, result }: Return): CommandResult {
  if (app === '') return result;
  const text = app === boxItself ? result.text.replaceAll(/^/gm, 'the box itself: ') : `${app}: ${result.text}`;
  return { ...result, text };
}
