import { setImmediate as turn } from 'node:timers/promises';
import type { Dialect } from '../model/dialect.ts';
import { totpCode } from '../model/totp.ts';
import { startWgEasy, type WgEasy } from '../wg-easy.ts';
import { ask, type Question } from './ask.ts';
import { maskAnswer, type RecordedAnswer, type RecordedExchange, readRecording } from './recording.ts';
import { setUpBefore } from './set-up.ts';

/** A recorded response and the response of the fake, both masked. */
export type Played = { name: string; recorded: RecordedAnswer; answered: RecordedAnswer };

/** The state of one run: cookies and client ids by exchange. */
type Run = {
  manager: WgEasy;
  clock: { now: number };
  /** Delays work, so that requests of a group collide. */
  gate: { open: Promise<void> };
  cookies: Map<string, string>;
  clients: Map<string, string>;
  totpCode: () => string;
};

/** Replays a recording in order, in two runs that each start with an empty fake. */
export async function replay(dialect: Dialect): Promise<{ played: Played[]; unknown: string[] }> {
  const recording = readRecording(dialect);
  const second = recording.exchanges.findIndex(({ name }) => name === 'extra-login');
  const runs = [recording.exchanges.slice(0, second), recording.exchanges.slice(second)];
  const played: Played[] = [];
  const unknown: string[] = [];
  for (const exchanges of runs) {
    const run = await newRun(dialect);
    try {
      for (const { exchange, answered } of await playAll(run, exchanges)) {
        const mask = (answer: RecordedAnswer) => maskAnswer(recording, exchange, answer);
        played.push({ name: exchange.name, recorded: mask(exchange.response), answered: mask(answered) });
      }
      unknown.push(...run.manager.counters().unknown);
    } finally {
      await run.manager.close();
    }
  }
  return { played, unknown };
}

type Answered = { exchange: RecordedExchange; answered: RecordedAnswer };

async function playAll(run: Run, exchanges: readonly RecordedExchange[]): Promise<Answered[]> {
  const answered: Answered[] = [];
  for (const group of groups(exchanges)) answered.push(...(await playGroup(run, group)));
  return answered;
}

async function newRun(dialect: Dialect): Promise<Run> {
  const clock = { now: Date.parse('2026-11-21T10:50:00Z') };
  const gate = { open: Promise.resolve() };
  const manager = await startWgEasy({
    dialect,
    password: 'throw-away-Passw0rd',
    now: () => clock.now,
    pause: () => gate.open,
  });
  return { manager, clock, gate, cookies: new Map(), clients: new Map(), totpCode: () => '' };
}

function groups(exchanges: readonly RecordedExchange[]): RecordedExchange[][] {
  const found: RecordedExchange[][] = [];
  for (const exchange of exchanges) {
    const last = found.at(-1);
    if (exchange.group !== undefined && last?.[0]?.group === exchange.group) last.push(exchange);
    else found.push([exchange]);
  }
  return found;
}

async function playGroup(run: Run, group: readonly RecordedExchange[]): Promise<Answered[]> {
  await setUpBefore(run.manager, group[0]?.name ?? '')?.(run.manager, run.clock);
  const gate = Promise.withResolvers<void>();
  if (group.length > 1) run.gate.open = gate.promise;
  const answers: Promise<Answered>[] = [];
  for (const exchange of inOrderOfLosing(group)) {
    const before = run.manager.counters().requests;
    answers.push(play(run, exchange));
    await arrival(run.manager, before);
  }
  gate.resolve();
  run.gate.open = Promise.resolve();
  return Promise.all(answers);
}

/** Waits until the manager received another request. */
async function arrival(manager: WgEasy, before: number) {
  for (let turns = 0; manager.counters().requests === before; turns += 1) {
    if (turns > 100_000) throw new Error('the request never arrived');
    await turn();
  }
}

/** Sorts the request that failed in the recording last, because in the fake the later request fails. */
function inOrderOfLosing(group: readonly RecordedExchange[]): RecordedExchange[] {
  return group.toSorted((a, b) => Number(a.response.status === 500) - Number(b.response.status === 500));
}

async function play(run: Run, exchange: RecordedExchange): Promise<Answered> {
  const answered = await ask(run.manager.url, questionOf(run, exchange));
  remember(run, exchange, answered);
  return { exchange, answered };
}

/** The recorded request with the cookies, ids and codes of this run. */
function questionOf(run: Run, { name, request, uses = {} }: RecordedExchange): Question {
  const headers = { ...request.headers };
  const cookie = run.cookies.get(uses.cookie ?? uses.tampered ?? '');
  if (cookie !== undefined) headers.cookie = uses.tampered ? `${cookie.slice(0, -8)}AAAAAAAA` : cookie;
  return {
    ...request,
    headers,
    path: pathOf(run, name, request.path, uses.client),
    body: bodyOf(run, name, request.body),
  };
}

/** Ids of version 14 are random; those of version 15 must be as recorded. */
function pathOf(run: Run, name: string, path: string, client: string | undefined): string {
  if (run.manager.dialect !== '14') return path;
  const atPool = run.manager.clients().find(({ address }) => name === 'pool-delete-one' && address === '10.8.0.100');
  const id = atPool?.id ?? run.clients.get(client ?? '');
  return id === undefined ? path : path.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, String(id));
}

function bodyOf(run: Run, name: string, body: string | null): string | null {
  if (!name.startsWith('totp-') || body === null) return body;
  const right = run.totpCode();
  const code = name.includes('wrong') ? `${(Number(right[0]) + 5) % 10}${right.slice(1)}` : right;
  return body.replace(/(?<=[cC]ode":")\d{6}/, code);
}

function remember(run: Run, { name, request, uses = {} }: RecordedExchange, answer: RecordedAnswer) {
  const [set] = [answer.headers['set-cookie'] ?? []].flat();
  const cookie = set?.split(';', 1)[0] ?? (uses.cookie === undefined ? undefined : run.cookies.get(uses.cookie));
  if (cookie !== undefined) run.cookies.set(name, cookie);
  if (request.method === 'POST' && answer.status === 200)
    run.clients.set(name, String(run.manager.clients().at(-1)?.id));
  if (name === 'totp-setup') run.totpCode = codesOf(run, JSON.parse(answer.body).key);
}

function codesOf(run: Run, key: string): () => string {
  return () => totpCode(key, run.clock.now);
}
