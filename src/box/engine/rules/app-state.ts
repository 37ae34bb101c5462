import type { components } from '../../api/api.gen.ts';
import { allowedUntil, type Container, hasDoneItsWork, timeText } from './container.ts';

export type State = components['schemas']['AppState'];

export type AppState = {
  state: State;
  detail: string;
  /** The time at which the state may change without an event of the engine; `null` if it cannot. */
  until: number | null;
};

/** Why an app without a running container is not started; `null` if it can be. */
export type BlockedBy =
  /** Its owner has stopped it at this time, in ms. */
  | { kind: 'owner'; at: number }
  | { kind: 'manifest'; error: string }
  | { kind: 'no Compose file' }
  | { kind: 'placeholders'; keys: readonly string[] }
  /** The last start failed, or the images are still to be pulled. */
  | { kind: 'failed'; reason: string }
  | null;

/** A restarted container may end again at once, so it counts as restarting until it has run for this long. */
const steadyMs = 10_000;
/** Compose creates all containers first, then starts them. */
const startMs = 10_000;

type Verdict = { is: Ordered | 'ended'; clause: string; until?: number };

const worstFirst = ['restarting', 'unhealthy', 'stopped', 'starting', 'running'] as const;
type Ordered = (typeof worstFirst)[number];

/**
 * The state of an app with containers, and a sentence with the reason. The worst container decides. A container that
 * ended with exit code 0 and is not meant to keep running counts only if there is no other. `failure` is why the app's
 * last start failed, and when: an app that runs since a later start of any kind has got over it.
 * choice/box/266
 */
export function stateOfContainers(
  containers: readonly Container[],
  missing: readonly string[],
  now: number,
  failure: { why: string; at: number } | null = null,
): AppState {
  const judged = containers
    .toSorted((a, b) => (a.service < b.service ? -1 : 1))
    .map((container) => ({ container, ...verdictOf(container, containers, now) }));
  const found = worstFirst.find((state) => judged.some(({ is }) => is === state)) ?? 'stopped';
  const isLess = missing.length > 0 && (found === 'starting' || found === 'running');
  const state = isLess ? 'stopped' : found;
  const untils = judged.flatMap(({ until }) => until ?? []);
  const isTold = containers.some(({ reason }) => reason !== '');
  const isOver =
    failure === null || (state === 'running' && containers.some((one) => Number(one.startedAt) > failure.at));
  const failed = isOver || isTold ? [] : [`its last start failed: ${failure.why}`];
  return {
    state,
    detail: sentence([...clausesOf(state, judged, missing), ...failed].join('; ')),
    until: untils.length === 0 ? null : Math.min(...untils),
  };
}

type Judged = Verdict & { container: Container };

function clausesOf(state: Ordered, judged: readonly Judged[], missing: readonly string[]): string[] {
  const isAlone = judged.length + missing.length === 1;
  const of = (is: Verdict['is']) =>
    judged
      .filter((one) => one.is === is)
      .map(({ container, clause }) => `${isAlone ? 'It' : container.service} ${clause}`);
  if (state === 'running') return [runningSince(judged), ...of('ended')];
  if (state !== 'stopped') return of(state);
  const stopped = [...of('stopped'), ...missing.map((name) => `${name} is gone`)];
  return stopped.length === 0 ? of('ended') : [...stopped, ...stillRunning(judged)];
}

/** The state of an app without containers, or that its owner has stopped. choice/box/266 */
export function stateWithoutContainers(blockedBy: BlockedBy, missing: readonly string[], wasUp: boolean): AppState {
  const [state, detail] = idle(blockedBy, missing, wasUp);
  return { state, detail, until: null };
}

function idle(blockedBy: BlockedBy, missing: readonly string[], wasUp: boolean): [State, string] {
  switch (blockedBy?.kind) {
    case 'owner':
      return ['stopped', `Stopped by you on ${timeText(blockedBy.at)}.`];
    case 'manifest':
      return ['not_started', sentence(`Not started, because it is broken: ${blockedBy.error}`)];
    case 'no Compose file':
      return ['not_started', 'Nothing to start: the app has no Compose file.'];
    case 'placeholders':
      return ['not_started', `Not started: its .env still has placeholder values for ${blockedBy.keys.join(', ')}.`];
    case 'failed':
      return [wasUp ? 'stopped' : 'not_started', sentence(`Not started: ${blockedBy.reason}`)];
    default: {
      if (!wasUp) return ['not_started', 'Not started yet: the box has not brought it up so far.'];
      const gone =
        missing.length === 0
          ? 'nothing of it is there any more'
          : `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} gone`;
      return ['stopped', sentence(`Stopped: ${gone}`)];
    }
  }
}

function verdictOf(container: Container, all: readonly Container[], now: number): Verdict {
  const { state, exitCode, reason, health, restartCount, startedAt } = container;
  const started = timeText(startedAt);
  if (state === 'restarting') {
    const how =
      reason === '' ? `ended with exit code ${exitCode} at ${timeText(container.finishedAt)}` : couldNot(reason);
    return {
      is: 'restarting',
      clause: `${how}, and Docker restarts it again and again (restart ${restartCount})`,
    };
  }
  if (state === 'running') {
    const steadyAt = Number(startedAt) + steadyMs;
    if (restartCount > 0 && now < steadyAt) {
      const ended = timeText(container.finishedAt);
      const clause = `ended at ${ended}, and Docker restarted it (restart ${restartCount})`;
      return { is: 'restarting', clause, until: steadyAt };
    }
    if (health === 'unhealthy')
      return { is: 'unhealthy', clause: `fails its health check; it was started at ${started}` };
    if (health === 'starting') {
      const clause = `was started at ${started}, and its health check has not passed yet${allowance(container, now)}`;
      return { is: 'starting', clause };
    }
    return { is: 'running', clause: '' };
  }
  if (reason !== '') return { is: 'stopped', clause: couldNot(reason) };
  if (state === 'created') return created(container, all, now);
  if (state !== 'exited') return { is: 'stopped', clause: `is ${state}` };
  const how = `at ${timeText(container.finishedAt)} with exit code ${exitCode}`;
  if (hasDoneItsWork(container)) return { is: 'ended', clause: `ended ${how}` };
  return { is: 'stopped', clause: `stopped ${how}` };
}

/** The end of the container's start period, while it runs. */
function allowance(container: Container, now: number): string {
  const end = allowedUntil(container);
  return end > now ? `; it has until ${timeText(end)}` : '';
}

/** Compose starts a container once its dependencies are healthy or have ended, which may take long. */
function created(container: Container, all: readonly Container[], now: number): Verdict {
  const isAwaited = ({ state, health, restarts }: Container) =>
    state === 'running' && (health === 'starting' || !restarts);
  if (all.some(isAwaited)) return { is: 'starting', clause: 'waits for the services that it depends on' };
  const until = container.createdAt + startMs;
  if (now < until) return { is: 'starting', clause: 'is about to start', until };
  return { is: 'stopped', clause: `was created at ${timeText(container.createdAt)} and never started` };
}

function runningSince(judged: readonly Judged[]): string {
  const running = judged.filter(({ is }) => is === 'running').map(({ container }) => container);
  const restarts = running.reduce((sum, { restartCount }) => sum + restartCount, 0);
  const since = timeText(Math.max(...running.map(({ startedAt }) => Number(startedAt))));
  return `Running since ${since}${restarts === 0 ? '' : `, after ${restarts} restart(s) by Docker`}`;
}

function stillRunning(judged: readonly Judged[]): string[] {
  const names = judged.filter(({ is }) => is === 'running').map(({ container }) => container.service);
  return names.length === 0 ? [] : [`${names.join(', ')} still ${names.length === 1 ? 'runs' : 'run'}`];
}

function couldNot(reason: string): string {
  return `could not be started: ${withoutStop(reason)}`;
}

function sentence(text: string): string {
  return `${withoutStop(text)}.`;
}

function withoutStop(text: string): string {
  return text.trim().replace(/\.$/, '');
}
