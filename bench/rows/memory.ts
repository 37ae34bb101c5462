import { appName, request, startBox, startFloor, worldOf } from '../box.ts';
import { fill, heartbeatOf, makeGround, makeStore, startGateway } from '../gateway.ts';
import { askOnce, type Load, runLoad } from '../load.ts';
import { quantile } from '../measure-row.ts';
import { residentMiB, type Server } from '../processes.ts';
import { logMemory } from './log-rows.ts';

/**
 * Resident memory after 1 000 requests, minus that of a bare server after the same; and that of a console that follows
 * a log, minus its own before.
 */
export async function measureMemory(rounds: number): Promise<string> {
  const requests = 'Resident after 1 000 requests';
  const log = (lineBytes: number) => `Resident with a log of 5 MB/s in lines of ${lineBytes} bytes, the console`;
  const told = [
    await compare(`${requests}, the box`, 'bare server', boxMemory, rounds, 16),
    await compare(`${requests}, the gateway on file:`, 'bare server', gatewayMemory, rounds, 20),
    await compare(log(100), 'before', () => logMemory(100), rounds, 8),
    await compare(log(15_000), 'before', () => logMemory(15_000), rounds, 8),
  ];
  return told.join('\n\n');
}

/** In MiB. */
type Pair = { ours: number; floor: number };

async function boxMemory(): Promise<Pair> {
  const world = worldOf(3);
  const ours = await startBox(world);
  const bytes = request('GET', '/api/apps');
  const answer = await askOnce(ours.port, bytes);
  if (!answer.includes(appName(2))) throw new Error(`a wrong answer to measure: ${answer}`);
  const pair = await measure(ours, answer, { requests: 1000, connections: 4, bytes });
  world.dispose();
  return pair;
}

async function gatewayMemory(): Promise<Pair> {
  const ground = makeGround();
  await makeStore(ground);
  const bytes = fill(ground.database, { boxes: 10, callers: 10 }).map(heartbeatOf);
  const ours = await startGateway(ground);
  const answer = await askOnce(ours.port, bytes[0] ?? '');
  if (!/^HTTP\/1\.1 200 .*"ok"/s.test(answer)) throw new Error(`a wrong answer to measure: ${answer}`);
  const load: Load = { requests: 1000, connections: 4, bytes };
  const pair = await measure(ours, answer, load);
  ground.dispose();
  return pair;
}

async function measure(ours: Server, answer: string, load: Load): Promise<Pair> {
  const floor = await startFloor(answer);
  await runLoad(ours, load);
  await runLoad(floor, load);
  const pair = { ours: residentMiB(ours.pid), floor: residentMiB(floor.pid) };
  await ours.stop();
  await floor.stop();
  return pair;
}

/** Garbage collection shifts a figure by a few MiB, so the result is a median. */
async function compare(
  name: string,
  floorName: string,
  round: () => Promise<Pair>,
  rounds: number,
  goalMiB: number,
): Promise<string> {
  const pairs: Pair[] = [];
  while (pairs.length < rounds) pairs.push(await round());
  const of = (figure: (pair: Pair) => number, q = 0.5) => quantile(pairs.map(figure), q).toFixed(1);
  const more = (q: number) => of(({ ours, floor }) => ours - floor, q);
  const verdict = Number(more(0.5)) <= goalMiB ? 'met' : 'missed';
  return (
    `${name}: ${of(({ ours }) => ours)} MiB, ${floorName} ${of(({ floor }) => floor)} ` +
    `MiB: ${more(0.5)} (${more(0.25)}–${more(0.75)}) MiB more, ${rounds} rounds (goal: at most ${goalMiB}): ${verdict}.`
  );
}
