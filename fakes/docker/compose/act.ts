import { engineState, faultPoint } from '../handler/call.ts';
import { printLog } from '../handler/logs.ts';
import { type Flags, readFlags } from '../handler/views/flags.ts';
import { stopContainer } from '../model/containers.ts';
import { emit } from '../model/events.ts';
import { Failure, unknown } from '../model/failure.ts';
import type { Container } from '../model/state.ts';
import { type Compose, label, progress, projectContainers, projectOrName } from './context.ts';
import { deleteOne, startService, stopOne } from './converge.ts';

/** Commands on existing containers: stop, start, restart, kill, rm, logs. */
async function begin(
  compose: Compose,
  verb: string,
  form: string,
): Promise<{ flags: Flags; name: string; containers: Container[] }> {
  const flags = readFlags(`compose ${verb}`, form, compose.argv);
  const { name, project } = projectOrName(compose);
  await faultPoint(compose.call, `compose ${verb}`, [name, project?.sources.directory ?? '']);
  const all = projectContainers(engineState(compose.call), name);
  for (const service of flags.rest) {
    const isKnown =
      project?.services.some((one) => one.name === service) ?? all.some((one) => one.labels[label.service] === service);
    if (!isKnown) throw new Failure(1, `no such service: ${service}`);
  }
  const containers = all.filter(
    (one) => flags.rest.length === 0 || flags.rest.includes(one.labels[label.service] ?? ''),
  );
  return { flags, name, containers };
}

export async function stop(compose: Compose): Promise<void> {
  const { name, containers } = await begin(compose, 'stop', 't/timeout=');
  for (const container of [...containers].reverse()) {
    if (container.status !== 'created') await stopOne(compose.call, container, name);
  }
}

export async function start(compose: Compose): Promise<void> {
  const { name, containers } = await begin(compose, 'start', 'wait wait-timeout=');
  const services = new Set(containers.map((one) => one.labels[label.service] ?? ''));
  if (services.size === 0) throw new Failure(1, `no container found for project ${JSON.stringify(name)}: not found`);
  for (const service of services) await startService(compose.call, name, service);
}

export async function restart(compose: Compose): Promise<void> {
  const { call } = compose;
  const { name, containers } = await begin(compose, 'restart', 't/timeout= no-deps');
  for (const container of containers) {
    progress(call, `Container ${container.name}`, 'Restarting');
    await faultPoint(call, 'stop', [container.name, name]);
    await call.change((state) => {
      const current = state.containers.find((one) => one.id === container.id);
      if (current) stopContainer(state, current, call.now(), 'stop');
    });
  }
  const quiet = { ...call, err: () => {} };
  for (const service of new Set(containers.map((one) => one.labels[label.service] ?? '')))
    await startService(quiet, name, service);
  for (const container of containers) {
    await call.change((state) => emit(state, container, 'restart', call.now()));
    progress(call, `Container ${container.name}`, 'Started');
  }
}

export async function kill(compose: Compose): Promise<void> {
  const { call } = compose;
  const { containers } = await begin(compose, 'kill', 's/signal= remove-orphans');
  if (containers.length === 0) call.err('no container to kill\n');
  for (const container of containers.filter((one) => one.status === 'running')) {
    progress(call, `Container ${container.name}`, 'Killing');
    await call.change((state) => {
      const current = state.containers.find((one) => one.id === container.id);
      if (current) stopContainer(state, current, call.now(), 'kill');
    });
    progress(call, `Container ${container.name}`, 'Killed');
  }
}

export async function remove(compose: Compose): Promise<void> {
  const { flags, name, containers } = await begin(compose, 'rm', 'f/force s/stop v/volumes');
  if (!flags.has('force')) throw unknown('"compose rm" without --force');
  const going = containers.filter((one) => flags.has('stop') || one.status !== 'running');
  if (going.length === 0) return compose.call.err('No stopped containers\n');
  for (const container of going) {
    if (container.status === 'running') await stopOne(compose.call, container, name);
  }
  compose.call.out(`Going to remove ${going.map((one) => one.name).join(', ')}\n`);
  for (const container of going) await deleteOne(compose.call, container, name);
}

/** `docker compose logs`: each line has the container name as prefix. */
export async function logs(compose: Compose): Promise<void> {
  const { call } = compose;
  const form = 'f/follow n/tail= since= until= t/timestamps no-color no-log-prefix index=';
  const { flags, containers } = await begin(compose, 'logs', form);
  if (flags.has('follow')) throw unknown('"compose logs --follow"');
  for (const container of containers) {
    const prefix = flags.has('no-log-prefix') ? '' : `${container.name.replace(/^[^-]+-/, '')}  | `;
    printLog(call, container, flags.text('tail'), { prefix });
  }
}
