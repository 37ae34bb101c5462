import { floorCommand, serveCommand, serveCommandOf, worldOf } from '../box.ts';
import { makeGround, makeStore } from '../gateway.ts';
import type { Group } from '../measure-row.ts';
import { startServer, timeCommand } from '../processes.ts';

/** From the start of a program to its ready line, compared with a bare server; and the fake `docker ps`. */
export async function startRows(): Promise<Group> {
  const world = worldOf(3);
  const environment = { ...world.env(), BOX_PORT: '0' };
  const ground = makeGround();
  await makeStore(ground);
  const both = async (
    figure: 'readyMs' | 'readyCpuMs',
    command = serveCommand,
    variables: NodeJS.ProcessEnv = environment,
  ) => {
    const ours = await startServer(command, variables);
    await ours.stop();
    const floor = await startServer(floorCommand, environment);
    await floor.stop();
    const disturbed = ours.readyDisturbed || floor.readyDisturbed;
    return { ours: ours[figure], floor: floor[figure], disturbed };
  };
  const fakePs = async () => ({
    ours: await timeCommand(['docker', 'ps'], environment),
    floor: await timeCommand([process.execPath, '-e', '0'], environment),
    disturbed: false,
  });
  return {
    rows: [
      {
        name: 'box serve, start to the ready line',
        floor: 'a bare node:http server',
        goal: 1.7,
        unit: 'ms',
        round: () => both('readyMs'),
      },
      {
        name: 'box serve, CPU until the ready line',
        floor: 'a bare node:http server',
        goal: 1.7,
        unit: 'ms',
        round: () => both('readyCpuMs'),
      },
      {
        name: 'gateway serve, empty file: store, start to the ready line',
        floor: 'a bare node:http server',
        goal: 1.9,
        unit: 'ms',
        round: () => both('readyMs', serveCommandOf('gateway'), ground.environment),
      },
      { name: 'fake docker ps', floor: 'node -e 0', goal: 2, unit: 'ms', round: fakePs },
    ],
    close: async () => {
      world.dispose();
      ground.dispose();
    },
  };
}
