import type { Notice } from '../../../notify/rules/notices.ts';

/** Since when each app is down, in milliseconds since 1970. */
export type DownSince = ReadonlyMap<string, number>;

/** A restart that heals is not worth a message. */
const downMs = 20_000;
/** A change stops and starts containers, and its owner waits for the answer. */
const downInChangeMs = 10 * 60_000;
const down: readonly string[] = ['stopped', 'restarting', 'unhealthy'];

/**
 * The notices about apps whose state is certain, and since when each of the others is down.
 * @param isChanging - whether a change may be what stopped the app
 */
export function judgeApps(
  states: ReadonlyMap<string, { state?: string; state_detail?: string; stopped_at?: string }>,
  before: DownSince,
  { now, isChanging }: { now: number; isChanging: boolean },
): { notices: Notice[]; since: DownSince } {
  const since = new Map<string, number>();
  const notices: Notice[] = [];
  for (const [name, { state = '', state_detail: detail = '', stopped_at: stoppedAt }] of states) {
    const topic = `app ${name}`;
    if (state === 'running') notices.push({ topic, state: 'ok', text: `${name} runs again.` });
    // Its owner knows, and needs no message when he starts it.
    if (stoppedAt !== undefined) notices.push({ topic, state: 'ok', text: null });
    if (!down.includes(state) || stoppedAt !== undefined) continue;
    const at = before.get(name) ?? now;
    since.set(name, at);
    if (now - at < (isChanging ? downInChangeMs : downMs)) continue;
    notices.push({ topic, state: 'down', text: `${name} is down. ${detail}` });
  }
  return { notices, since };
}
