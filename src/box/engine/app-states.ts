import { attempt } from '../../lib/ignore.ts';
import { shownName } from '../../lib/shown-text.ts';
import { declaredPorts, fromEnv } from '../app-files/catalogue.ts';
import { composeFilesOf } from '../app-files/project.ts';
import { makeMask } from '../app-files/secrets.ts';
import { type AppRecord, faultText, type Observer, StorageFailed } from '../core.ts';
import type { AppStates, KnownApp, LatestPicture, ShownState } from '../known-apps.ts';
import { isActive } from '../rules/compose/image-changes.ts';
import { boundPorts, type OpenPort, portsToShow } from '../rules/compose/published-ports.ts';
import { readDotenv } from '../rules/dotenv/dotenv.ts';
import { placeholderKeys } from '../rules/dotenv/placeholder.ts';
import { toolLines } from '../rules/text/tool-output.ts';
import { containersByApp } from './containers-by-app.ts';
import { diskProblemOf } from './disks.ts';
import type { EngineBox } from './ports.ts';
import { missingContainers } from './rules/app-record.ts';
import { type BlockedBy, stateOfContainers, stateWithoutContainers } from './rules/app-state.ts';
import type { Container } from './rules/container.ts';

type StateBox = Pick<EngineBox, 'disks' | 'stopped' | 'folders' | 'apps' | 'report' | 'records' | 'failedUps'>;
type Clock = Pick<EngineBox, 'now' | 'pause'>;

const longestWaitMs = 1000;
/** A manual edit of an `.env`, or another process that writes its records, causes no event. */
const rereadMs = 1000;

export function makeAppStates(box: StateBox, { now, pause }: Clock): AppStates {
  let expected: PromiseWithResolvers<void> | null = null;
  let picture: LatestPicture = { failure: 'Docker has not answered yet.' };
  let shown: ReadonlyMap<string, ShownState> = new Map();
  let bound: ReadonlyMap<string, ReadonlyMap<number, string>> = new Map();
  let shownOf: readonly KnownApp[] | null = null;
  let until = Number.POSITIVE_INFINITY;

  return {
    of(apps) {
      if (apps === shownOf && now().getTime() < until) return shown;
      const derived = derive(box, picture, apps, now().getTime());
      until = derived.until;
      bound = derived.bound;
      shownOf = apps;
      if (!isSame(shown, derived.states)) shown = derived.states;
      return shown;
    },
    boundPorts: (app) => bound.get(app) ?? new Map(),
    expectPicture() {
      expected = Promise.withResolvers();
    },
    async firstPicture() {
      if (expected === null) return;
      await Promise.race([expected.promise, pause(longestWaitMs)]);
      expected = null;
    },
    update(next) {
      picture = next;
      shownOf = null;
      expected?.resolve();
      expected = null;
    },
    refresh() {
      shownOf = null;
    },
  };
}

function derive(box: StateBox, picture: LatestPicture, apps: readonly KnownApp[], now: number) {
  const states = new Map<string, ShownState>();
  const bound = new Map<string, ReadonlyMap<number, string>>();
  let until = Number.POSITIVE_INFINITY;
  if ('failure' in picture) {
    for (const { name } of apps) states.set(name, unknown(picture.failure));
    return { states, bound, until };
  }
  const records = recordsOf(box);
  const stopped = box.stopped.all();
  const mask = makeMask(box);
  const ownContainers = containersByApp(box, picture.containers, apps, records);
  for (const app of apps) {
    try {
      const own = ownContainers.get(app.name) ?? [];
      const show = (text: string) => mask(text, app.name);
      const known = { record: records.get(app.name), stoppedAt: stopped.get(app.name), now };
      const derived = stateOf({ ...box, show }, app, own, known);
      states.set(app.name, derived.shown);
      bound.set(app.name, boundPorts(own.flatMap(({ published }) => published)));
      until = Math.min(until, derived.until ?? until);
    } catch (error) {
      states.set(app.name, unknown(faultText(box, error)));
    }
  }
  return { states, bound, until };
}

/** The records of all apps; none if they cannot be read. Then only missing containers go unnoticed. */
function recordsOf(box: StateBox): Map<string, AppRecord> {
  return attempt(box.records.load, StorageFailed, () => new Map());
}

function unknown(failure: string): ShownState {
  return { state: 'unknown', state_detail: failure, published: [], open_ports: [] };
}

function stateOf(
  box: StateBox & { show(text: string): string },
  app: KnownApp,
  own: readonly Container[],
  { record, stoppedAt, now }: { record: AppRecord | undefined; stoppedAt: number | undefined; now: number },
): { shown: ShownState; until: number | null } {
  const known = record?.containers ?? [];
  const wasUp = Boolean(record?.succeeded) || known.length > 0;
  // A Compose file can put a secret into a container's name.
  const missing = missingContainers(record?.succeeded ? known : [], own).map(box.show);
  const missingDisk = diskProblemOf(box, app.name, record?.model ?? null);
  const failure = missingDisk ?? record?.failure ?? null;
  const isActiveNow = own.some(isActive);
  const byOwner = stoppedAt === undefined || isActiveNow ? null : { kind: 'owner' as const, at: stoppedAt };
  const isStopped = missingDisk !== null && own.length > 0 && byOwner === null;
  const { state, detail, until } =
    own.length === 0 || byOwner !== null
      ? stateWithoutContainers(byOwner ?? blockedBy(box, app, failure), missing, wasUp)
      : stateOfContainers(
          own.map((container) => withShownReason(box.show, container)),
          missing,
          now,
          isStopped || failure === null ? null : { why: failure, at: record?.failedAt ?? 0 },
        );
  const ports = portsToShow(declaredPorts(box, app), own);
  const isOfFiles = !isActiveNow || missing.length > 0 || isStopped;
  const note = isStopped ? ` Not started: ${missingDisk}.` : '';
  return {
    shown: { state, state_detail: shownName(detail + note), ...stoppedBy(byOwner), ...ports },
    until: isOfFiles ? Math.min(now + rereadMs, until ?? Number.POSITIVE_INFINITY) : until,
  };
}

function stoppedBy(owner: { at: number } | null): Pick<ShownState, 'stopped_at'> {
  return owner === null ? {} : { stopped_at: new Date(owner.at).toISOString() };
}

/** The engine's text may quote a Compose file, and with it a secret. */
function withShownReason(show: (text: string) => string, container: Container): Container {
  if (container.reason === '') return container;
  return { ...container, reason: toolLines(show(container.reason)).join(' ') };
}

const placeholdersOf = fromEnv((text, { manifest }) => placeholderKeys(readDotenv(text), manifest?.settings ?? []));

function blockedBy(box: StateBox, app: KnownApp, failure: string | null): BlockedBy {
  const { name, manifest, entry } = app;
  if (manifest === null) return { kind: 'manifest', error: entry.ok ? '' : entry.error };
  if (composeFilesOf(box, app.path).length === 0) return { kind: 'no Compose file' };
  const keys = placeholdersOf(box, app);
  if (keys.length > 0) return { kind: 'placeholders', keys };
  const failed = box.failedUps.get(name);
  const isPulled = failed?.why === 'images' && failed.error === null;
  const told = failed === undefined || failed.why === 'down' ? failure : failed.error;
  const reason = isPulled ? 'its images are being pulled' : told;
  return reason === null ? null : { kind: 'failed', reason };
}

function isSame(a: ReadonlyMap<string, ShownState>, b: ReadonlyMap<string, ShownState>): boolean {
  return JSON.stringify([...a]) === JSON.stringify([...b]);
}

/**
 * The ports that an app can be opened at now, from one look at the containers. `null` if the engine does not answer;
 * empty for an app that is not installed.
 */
export async function openPortsOf(
  { apps, states, observer }: Pick<EngineBox, 'apps' | 'states'> & { observer: Pick<Observer, 'look'> },
  name: string,
): Promise<readonly OpenPort[] | null> {
  if (apps.one('installed', name) === null) return [];
  const { failure } = await observer.look();
  return failure === null ? (states.of(apps.all('installed')).get(name)?.open_ports ?? []) : null;
}
