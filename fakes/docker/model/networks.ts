import { hex } from './digest.ts';
import { daemonError } from './failure.ts';
import type { EngineState, Network } from './state.ts';

export function createNetwork(state: EngineState, name: string, labels: Record<string, string>): void {
  if (findNetwork(state, name)) throw daemonError(`network with name ${name} already exists`);
  state.serial += 1;
  const id = hex(`network ${state.serial} ${name}`);
  state.networks.push({ id, name, labels, subnet: 18 + (state.serial % 200) });
}

export function findNetwork(state: EngineState, name: string): Network | undefined {
  return state.networks.find((one) => one.name === name);
}

export function hasUsers(state: EngineState, { name }: Network): boolean {
  return state.containers.some(
    ({ networks, status }) => status === 'running' && networks.some((joined) => joined.name === name),
  );
}

export function removeNetwork(state: EngineState, name: string): void {
  state.networks = state.networks.filter((one) => one.name !== name);
}

/** A free address for a joining container. */
export function nextAddress(state: EngineState, network: Network): string {
  const taken = new Set(
    state.containers.flatMap((one) =>
      one.networks.filter((joined) => joined.name === network.name).map((joined) => joined.ip),
    ),
  );
  let host = 2;
  while (taken.has(`172.${network.subnet}.0.${host}`)) host += 1;
  return `172.${network.subnet}.0.${host}`;
}

export function createVolume(state: EngineState, name: string, labels: Record<string, string>): void {
  if (!state.volumes.some((one) => one.name === name)) state.volumes.push({ name, labels });
}

export function removeVolume(state: EngineState, name: string): void {
  const user = state.containers.find((one) =>
    one.mounts.some((mount) => mount.type === 'volume' && mount.name === name),
  );
  if (user) throw daemonError(`remove ${name}: volume is in use - [${user.id}]`);
  state.volumes = state.volumes.filter((one) => one.name !== name);
}
