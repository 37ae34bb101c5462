import { appName, request, startBox, startFloor, worldOf } from './box.ts';
import { fill, heartbeatOf, makeGround, makeStore, startGateway } from './gateway.ts';
import { askOnce, type Load, runLoad } from './load.ts';
import { residentMiB, type Server } from './processes.ts';

/** Resident memory after 1 000 requests, as a difference to a bare server that answered the same. */
export async function measureMemory(): Promise<string> {
  return `${await boxMemory()}\n\n${await gatewayMemory()}`;
}

async function boxMemory(): Promise<string> {
  const world = worldOf(3);
  const ours = await startBox(world);
  const bytes = request('GET', '/api/apps');
  const answer = await askOnce(ours.port, bytes);
  if (!answer.includes(appName(2))) throw new Error(`a wrong answer to measure: ${answer}`);
  const told = await compare('the box', ours, answer, { requests: 1000, connections: 4, bytes }, 8);
  world.dispose();
  return told;
}

async function gatewayMemory(): Promise<string> {
  const ground = makeGround();
  await makeStore(ground);
  const bytes = fill(ground.database, { boxes: 10, callers: 10 }).map(heartbeatOf);
  const ours = await startGateway(ground);
  const answer = await askOnce(ours.port, bytes[0] ?? '');
  if (!/^HTTP\/1\.1 200 .*"ok"/s.test(answer)) throw new Error(`a wrong answer to measure: ${answer}`);
  const load: Load = { requests: 1000, connections: 4, bytes };
  const told = await compare('the gateway on file:', ours, answer, load, 14);
  ground.dispose();
  return told;
}

async function compare(
  name: string,
  ours: Server,
  answer: string,
  load: Load,
  goalMiB: number,
): Promise<string> {
  const floor = await startFloor(answer);
  await runLoad(ours, load);
  await runLoad(floor, load);
  const [oursMiB, floorMiB] = [residentMiB(ours.pid), residentMiB(floor.pid)];
  await ours.stop();
  await floor.stop();
  const more = oursMiB - floorMiB;
  return (
    `Resident after 1 000 requests, ${name}: ${oursMiB.toFixed(1)} MiB, bare server ${floorMiB.toFixed(1)} MiB: ` +
    `${more.toFixed(1)} MiB more (goal: at most ${goalMiB}): ${more <= goalMiB ? 'met' : 'missed'}.`
  );
}
