import { nextDue } from '../model/containers.ts';
import { Failure, unknown } from '../model/failure.ts';
import type { EngineEvent } from '../model/state.ts';
import { type Call, engineState, faultPoint } from './call.ts';
import { printList } from './list.ts';
import { hasLabel, splitFilter } from './views/container-filter.ts';
import { readFlags } from './views/flags.ts';

type Test = (event: EngineEvent) => boolean;

/** `docker events`: prints events until the engine stops, `--until` is reached, or the caller is killed. */
export async function followEvents(call: Call, argv: readonly string[]): Promise<void> {
  const flags = readFlags('events', 'f/filter* format= since= until=', argv);
  if (flags.rest.length > 0) throw new Failure(1, '"docker events" accepts no arguments.');
  const format = flags.text('format');
  if (!format || format.startsWith('table')) throw unknown('"events" without a --format of its own');
  const passes = testOf(flags.list('filter'));
  const since = momentOf(flags.text('since'));
  const until = momentOf(flags.text('until')) ?? Number.POSITIVE_INFINITY;
  await faultPoint(call, 'events', []);
  engineState(call);

  let wake = new AbortController();
  const log = call.follow(() => wake.abort());
  const show = (lines: readonly string[]) => {
    const events = lines.map((line) => JSON.parse(line) as EngineEvent);
    printList(
      call,
      events.filter((event) => passes(event) && isWithin(event, since, until)),
      format,
      [],
    );
  };
  try {
    await applyDue(call);
    const past = log.next();
    // Past events are printed only if a time is given. Those before the last stop are lost.
    if (since !== null || until !== Number.POSITIVE_INFINITY) show(past.slice(past.lastIndexOf('') + 1));
    while (call.now() < until) {
      const due = await applyDue(call);
      wake = new AbortController();
      const lines = log.next();
      const end = lines.indexOf('');
      show(end < 0 ? lines : lines.slice(0, end));
      if (end >= 0) throw new Failure(1, 'unexpected EOF');
      await call.pause(Math.max(Math.min(due, until) - call.now(), 0), wake.signal);
    }
  } finally {
    log.close();
  }
}

/**
 * Applies due exits, restarts and health changes, because no engine runs in the background. Returns the time of the
 * next one.
 */
async function applyDue(call: Call): Promise<number> {
  const isDue = call.read().events.length > 0;
  const state = isDue ? await call.change((settled) => settled) : call.read();
  return nextDue(state)?.at ?? Number.POSITIVE_INFINITY;
}

function momentOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^\d+(\.\d+)?$/.test(text)) throw unknown(`the time ${text} of "events"`);
  return Number(text) * 1000;
}

function isWithin({ timeNano }: EngineEvent, since: number | null, until: number): boolean {
  return timeNano / 1e6 >= (since ?? 0) && timeNano / 1e6 <= until;
}

/** All labels must match; of other filters with the same name, one must match. */
function testOf(filters: readonly string[]): Test {
  const given = filters.map(splitFilter);
  const of = (wanted: string) => given.filter(([name]) => name === wanted).map(([, value]) => value);
  const odd = given.find(([name, value]) => !known.includes(name) || (name === 'type' && value !== 'container'));
  if (odd) throw unknown(`the filter ${odd.join('=')} of "events"`);
  const [actions, containers] = [of('event'), of('container')];
  // With a health_status filter the engine compares event filters as prefixes.
  const begins = actions.includes('health_status');
  return ({ id, Action, Actor: { Attributes } }) =>
    of('label').every((label) => hasLabel(Attributes, label)) &&
    (actions.length === 0 || actions.some((one) => (begins ? Action.startsWith(one) : Action === one))) &&
    (containers.length === 0 || containers.some((one) => id.startsWith(one) || Attributes.name?.startsWith(one)));
}

const known = ['type', 'event', 'label', 'container'];
