import {
  findContainer,
  removeContainer,
  requireContainer,
  startContainer,
  stopContainer,
} from '../model/containers.ts';
import { emit } from '../model/events.ts';
import { daemonError, Failure } from '../model/failure.ts';
import type { Container, EngineState } from '../model/state.ts';
import { type Call, engineState, faultPoint } from './call.ts';
import { readFlags } from './views/flags.ts';

type Act = (state: EngineState, container: Container, now: number) => string | null;

const stop: Act = (state, container, now) => {
  stopContainer(state, container, now, 'stop');
  return null;
};
const kill: Act = (state, container, now) => {
  if (container.status !== 'running') {
    return `cannot kill container: ${container.name}: container ${container.id} is not running`;
  }
  stopContainer(state, container, now, 'kill');
  return null;
};
const restart: Act = (state, container, now) => {
  stopContainer(state, container, now, 'stop');
  const trouble = startContainer(state, container, now);
  if (trouble === null) emit(state, container, 'restart', now);
  return trouble;
};

const forms = {
  start: 'a/attach',
  stop: 't/time= timeout= s/signal=',
  kill: 's/signal=',
  restart: 't/time= timeout= s/signal=',
};
export type Verb = keyof typeof forms;
const acts: Record<Verb, Act> = {
  start: startContainer,
  stop,
  kill,
  restart,
};

/** `docker start|stop|kill|restart NAME…`: prints each name that succeeds. */
export async function actOnContainers(call: Call, argv: readonly string[], verb: Verb): Promise<void> {
  const flags = readFlags(verb, forms[verb], argv);
  await each(call, flags.rest, verb, async (name) => {
    const trouble = await call.change((state) => acts[verb](state, named(state, name, verb), call.now()));
    if (trouble) throw daemonError(trouble);
    call.out(`${name}\n`);
  });
}

function named(state: EngineState, name: string, verb: string): Container {
  const container = findContainer(state, name);
  if (container) return container;
  throw daemonError(`${verb === 'kill' ? `cannot kill container: ${name}: ` : ''}No such container: ${name}`);
}

/** `docker rm [-f] [-v] NAME…`. */
export async function removeContainers(call: Call, argv: readonly string[]): Promise<void> {
  const flags = readFlags('rm', 'f/force v/volumes l/link', argv);
  await each(call, flags.rest, 'remove', async (name) => {
    await call.change((state) => {
      const container = requireContainer(state, name);
      if (container.status === 'running' && !flags.has('force')) {
        throw daemonError(
          `cannot remove container "/${container.name}": container is running: stop the container before removing or force remove`,
        );
      }
      removeContainer(state, container, call.now());
    });
    call.out(`${name}\n`);
  });
}

/** Acts on each name; reports the failures at the end, with status 1. */
async function each(
  call: Call,
  names: readonly string[],
  point: string,
  act: (name: string) => Promise<void>,
): Promise<void> {
  if (names.length === 0) throw new Failure(1, `"docker ${point}" requires at least 1 argument.`);
  engineState(call);
  const failures: string[] = [];
  for (const name of names) {
    try {
      await faultPoint(call, point, [name]);
      await act(name);
    } catch (error) {
      // Like the real client, continue with the other names.
      if (!(error instanceof Failure)) throw error;
      failures.push(error.message);
    }
  }
  if (failures.length > 0) throw new Failure(1, failures.join('\n'));
}
