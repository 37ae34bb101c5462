import { hex } from './digest.ts';
import { daemonError } from './failure.ts';
import type { EngineState, Network, Volume } from './state.ts';

export function createNetwork(
  state: EngineState,
  wanted: Pick<Network, 'name' | 'driver' | 'internal' | 'labels'>,
  now: number,
): Network {
  if (findNetwork(state, wanted.name)) throw daemonError(`network with name ${wanted.name} already exists`);
  state.serial += 1;
  const subnet = 18 + (state.serial % 200);
  const network = {
    ...wanted,
    id: hex(`network ${state.serial} ${wanted.name}`),
    created: new Date(now).toISOString(),
    subnet,
  };
  state.networks.push(network);
  return network;
}

export function findNetwork(state: EngineState, text: string): Network | undefined {
  return state.networks.find(
    (one) => one.name === text || one.id === text || (text.length >= 4 && one.id.startsWith(text)),
  );
}

export function networkUsers(state: EngineState, network: Network) {
  return state.containers.filter(
    (one) => one.networks.some((joined) => joined.name === network.name) && one.status === 'running',
  );
}

export function removeNetwork(state: EngineState, text: string): Network {
  const network = findNetwork(state, text);
  if (!network) throw daemonError(`network ${text} not found`);
  if (networkUsers(state, network).length > 0) {
    throw daemonError(`error while removing network: network ${network.name} id ${network.id} has active endpoints`);
  }
  if (network.subnet === 0) throw daemonError(`${network.name} is a pre-defined network and cannot be removed`);
  state.networks = state.networks.filter((one) => one !== network);
  return network;
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

export function createVolume(state: EngineState, name: string, labels: Record<string, string>, now: number): Volume {
  const known = state.volumes.find((one) => one.name === name);
  if (known) return known;
  const volume = { name, driver: 'local', created: new Date(now).toISOString(), labels };
  state.volumes.push(volume);
  return volume;
}

export function removeVolume(state: EngineState, name: string): void {
  if (!state.volumes.some((one) => one.name === name)) throw daemonError(`get ${name}: no such volume`);
  const user = state.containers.find((one) =>
    one.mounts.some((mount) => mount.type === 'volume' && mount.name === name),
  );
  if (user) throw daemonError(`remove ${name}: volume is in use - [${user.id}]`);
  state.volumes = state.volumes.filter((one) => one.name !== name);
}
