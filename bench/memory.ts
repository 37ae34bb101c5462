import { appName, request, startBox, startFloor, worldOf } from './box.ts';
import { askOnce, type Load, runLoad } from './load.ts';
import { residentMiB } from './processes.ts';

const goalMiB = 8;

/** Resident memory after 1 000 requests, as a difference to the bare server: a ratio would say little. */
export async function measureMemory(): Promise<string> {
  const world = worldOf(3);
  const ours = await startBox(world);
  const bytes = request('GET', '/api/apps');
  const answer = await askOnce(ours.port, bytes);
  if (!answer.includes(appName(2))) throw new Error(`a wrong answer to measure: ${answer}`);
  const floor = await startFloor(answer);
  const load: Load = { requests: 1000, connections: 4, bytes };
  await runLoad(ours, load);
  await runLoad(floor, load);
  const [oursMiB, floorMiB] = [residentMiB(ours.pid), residentMiB(floor.pid)];
  await ours.stop();
  await floor.stop();
  world.dispose();
  return (
    `Resident after 1 000 requests: ${oursMiB.toFixed(1)} MiB, bare server ${floorMiB.toFixed(1)} MiB: ` +
    `${(oursMiB - floorMiB).toFixed(1)} MiB more (goal: at most ${goalMiB}).`
  );
}
