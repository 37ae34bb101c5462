import type { CommandResult } from '../../lib/command-result.ts';
import { journalled } from '../../lib/journal.ts';
import { shownName } from '../../lib/shown-text.ts';
import { Refusal } from '../api/refusals.ts';
import type { AppUpdate } from '../apps/update-app.ts';
import { updateApp } from '../apps/update-app.ts';
import { ContainersFailed, StorageFailed, TooManyChanges } from '../core.ts';
import { outcomeOfUpdate } from '../engine/rules/outcomes.ts';
import { outcomeOfError } from '../logged-change.ts';
import { lookForNewer } from './look.ts';
import type { VersionsBox } from './ports.ts';
import {
  broughtByUpdate,
  failureOf,
  isOldEnough,
  type KnownNewer,
  type KnownVersions,
} from './rules/known-versions.ts';

/** Failures of one app, whose message says enough. */
const ofOneApp = [Refusal, ContainersFailed, StorageFailed, TooManyChanges];

type UpdateApps = {
  /** `null`: as the owner has set it. */
  minAgeHours: number | null;
  tell: (result: CommandResult) => void;
  isStopping: () => boolean;
};

/**
 * Updates all apps whose newer version has been known for long enough, one after the other, as their buttons do. An app
 * that fails does not hold up the others.
 * @returns the exit status: 1 if an app failed
 */
export async function updateApps(box: VersionsBox, { minAgeHours, tell, isStopping }: UpdateApps): Promise<number> {
  const known = await lookUnlessAway(box, tell);
  if (known === null) return 1;
  const least = minAgeHours ?? known.minAgeHours;
  let status = 0;
  for (const [name, newer] of Object.entries(known.apps)) {
    if (isStopping()) return 1;
    if (!isOldEnough(newer, least, box.now())) {
      tell({ status: 0, text: `${shownName(name)}: ${newerText(newer)}; updated when known for ${least} h` });
      continue;
    }
    // Another update would start the app with data that the failed one has changed. That is its owner's decision.
    const held = box.records.load().get(name)?.held;
    if (held !== undefined) {
      tell({ status: 0, text: `${shownName(name)}: not updated: ${shownName(held)}` });
      continue;
    }
    const failedAt = failureOf(newer);
    if (failedAt !== null) {
      const why = `its update was rolled back at ${failedAt}; a later version is tried by itself, this one with Update`;
      tell({ status: 0, text: `${shownName(name)}: not updated: ${why}` });
      continue;
    }
    const result = await updateOne(box, name, newer);
    if (result.status !== 0) status = 1;
    tell(result);
  }
  if (Object.keys(known.apps).length === 0) tell({ status: 0, text: 'no newer version of any app is known' });
  return status;
}

async function lookUnlessAway(box: VersionsBox, tell: UpdateApps['tell']): Promise<KnownVersions | null> {
  try {
    const known = await lookForNewer(box);
    for (const { image, reason } of known.problems) tell({ status: 0, text: `${image} was not looked up: ${reason}` });
    return known;
  } catch (error) {
    if (!(error instanceof ContainersFailed || error instanceof StorageFailed)) throw error;
    tell({ status: 1, text: error.message });
    return null;
  }
}

async function updateOne(box: VersionsBox, name: string, newer: readonly KnownNewer[]): Promise<CommandResult> {
  const change = { operation: 'update', subject: name, by: 'boxgate box update apps' };
  try {
    const { services, upgrade, stoppedAt } = await journalled<AppUpdate>(
      box.journal,
      change,
      () => updateApp(box, name),
      {
        ofResult: ({ services, starting, upgrade: brought }) =>
          outcomeOfUpdate(services, starting, brought?.to_version),
        ofError: outcomeOfError,
      },
    );
    await box.versions.known.change(({ apps, ...known }) => {
      const { [name]: _done, ...others } = apps;
      return { ...known, apps: others };
    });
    const done = upgrade === null ? `${services.length} image(s) updated` : `updated to ${upgrade.to_version}`;
    const idle = stoppedAt === undefined ? '' : '; it is stopped, so it was not started';
    return { status: 0, text: `${shownName(name)}: ${done} (${newerText(newer)})${idle}` };
  } catch (error) {
    if (!ofOneApp.some((kind) => error instanceof kind)) throw error;
    return { status: 1, text: `${shownName(name)}: not updated: ${shownName((error as Error).message)}` };
  }
}

/** What the box knows, one line for each app. */
export function newerLines({ lookedAt, apps, problems, isEnabled, minAgeHours }: KnownVersions): string[] {
  return [
    lookedAt === null ? 'nobody has looked for newer versions yet' : `looked at ${lookedAt}`,
    ...Object.entries(apps).map(([name, newer]) => `${shownName(name)}: ${newerText(newer)}`),
    ...problems.map(({ image, reason }) => `${image} was not looked up: ${reason}`),
    isEnabled
      ? `apps are updated daily, once a newer version has been known for ${minAgeHours} h`
      : 'apps are not updated by themselves: boxgate box update apps enable',
  ];
}

function newerText(newer: readonly KnownNewer[]): string {
  return broughtByUpdate(newer)
    .map(({ what, of, to, since }) => {
      const name = what === 'catalogue' ? `version ${to}` : `a newer image of ${of}`;
      return `${name}, known since ${since.slice(0, 16).replace('T', ' ')} UTC`;
    })
    .join('; ');
}
