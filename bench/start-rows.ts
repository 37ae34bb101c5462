import { floorCommand, serveCommand, serveCommandOf, worldOf } from './box.ts';
import { makeGround, makeStore } from './gateway.ts';
import { startServer, timeCommand } from './processes.ts';
import type { Group } from './rows.ts';

/** From the start of the program to its ready line, against a bare server; and the stand-in for `docker ps`. */
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
        goal: 1.35,
        unit: 'ms',
        round: () => both('readyMs'),
      },
      {
        name: 'box serve, CPU until the ready line',
        floor: 'a bare node:http server',
        goal: 1.4,
        unit: 'ms',
        round: () => both('readyCpuMs'),
      },
      {
        name: 'gateway serve, empty file: store, start to the ready line',
        floor: 'a bare node:http server',
        goal: 1.5,
        unit: 'ms',
        round: () => both('readyMs', serveCommandOf('gateway'), ground.environment),
      },
      { name: 'stand-in docker ps', floor: 'node -e 0', goal: 2, unit: 'ms', round: fakePs },
    ],
    close: async () => {
      world.dispose();
      ground.dispose();
    },
  };
}
