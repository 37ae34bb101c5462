import { Failure, unknown } from '../model/failure.ts';
import { createNetwork, createVolume, networkUsers, removeNetwork, removeVolume } from '../model/networks.ts';
import type { EngineState } from '../model/state.ts';
import { type Call, engineState, faultPoint } from './call.ts';
import { labelsOf, printLines, printList, type Row } from './list.ts';
import { hasLabel, splitFilter } from './views/container-filter.ts';
import { labelsText } from './views/describe.ts';
import { readFlags } from './views/flags.ts';

type Labelled = { name: string; labels: Record<string, string> };

/** `docker network ls|create|rm|prune`. */
export async function networks(call: Call, verb: string, argv: readonly string[]): Promise<void> {
  await faultPoint(call, `network ${verb}`, argv);
  if (verb === 'ls') return listNetworks(call, argv);
  if (verb === 'create') return addNetwork(call, argv);
  if (verb === 'rm') {
    const { rest } = readFlags('network rm', 'f/force', argv);
    return removeEach(call, rest, (state, name) => void removeNetwork(state, name));
  }
  if (verb !== 'prune') throw unknown(`"network ${verb}"`);
  readFlags('network prune', 'f/force filter*', argv);
  engineState(call);
  const gone = await call.change((state) => {
    const free = state.networks.filter((one) => one.subnet > 0 && networkUsers(state, one).length === 0);
    state.networks = state.networks.filter((one) => !free.includes(one));
    return free;
  });
  if (gone.length > 0) call.out(`Deleted Networks:\n${gone.map((one) => `${one.name}\n`).join('')}\n`);
}

function listNetworks(call: Call, argv: readonly string[]): void {
  const flags = readFlags('network ls', 'q/quiet no-trunc f/filter* format=', argv);
  const state = engineState(call);
  const whole = flags.has('no-trunc');
  const rows = state.networks
    .filter((one) => flags.list('filter').every((filter) => passes(one, filter)))
    .map(
      (one): Row => ({
        CreatedAt: one.created,
        Driver: one.driver,
        ID: whole ? one.id : one.id.slice(0, 12),
        IPv6: 'false',
        Internal: String(one.internal),
        Labels: labelsText(one.labels),
        Name: one.name,
        Scope: 'local',
        [labelsOf]: one.labels,
      }),
    );
  const ids = rows.map((row) => row.ID);
  if (flags.has('quiet')) {
    printLines(call, ids);
    return;
  }
  const usual = [
    ['ID', 'NETWORK ID'],
    ['Name', 'NAME'],
    ['Driver', 'DRIVER'],
    ['Scope', 'SCOPE'],
  ] as const;
  printList(call, rows, flags.text('format'), usual);
}

function passes(one: Labelled, filter: string): boolean {
  const [name, value] = splitFilter(filter);
  if (name === 'label') return hasLabel(one.labels, value);
  if (name === 'name') return one.name.includes(value);
  throw unknown(`the filter ${name} here`);
}

async function addNetwork(call: Call, argv: readonly string[]): Promise<void> {
  const flags = readFlags('network create', 'd/driver= label* internal attachable subnet= o/opt*', argv);
  const [name = ''] = flags.rest;
  if (flags.rest.length !== 1) throw new Failure(1, '"docker network create" requires exactly 1 argument.');
  engineState(call);
  const wanted = {
    name,
    driver: flags.text('driver') ?? 'bridge',
    internal: flags.has('internal'),
    labels: labelsFrom(flags.list('label')),
  };
  const made = await call.change((state) => createNetwork(state, wanted, call.now()));
  call.out(`${made.id}\n`);
}

/** `docker volume ls|create|rm|prune`. */
export async function volumes(call: Call, verb: string, argv: readonly string[]): Promise<void> {
  await faultPoint(call, `volume ${verb}`, argv);
  if (verb === 'ls') return listVolumes(call, argv);
  if (verb === 'rm') {
    const { rest } = readFlags('volume rm', 'f/force', argv);
    return removeEach(call, rest, removeVolume);
  }
  if (verb !== 'create') throw unknown(`"volume ${verb}"`);
  const flags = readFlags('volume create', 'd/driver= label* o/opt*', argv);
  const [name] = flags.rest;
  if (!name) throw unknown('"volume create" without a name');
  engineState(call);
  await call.change((state) => createVolume(state, name, labelsFrom(flags.list('label')), call.now()));
  call.out(`${name}\n`);
}

function listVolumes(call: Call, argv: readonly string[]): void {
  const flags = readFlags('volume ls', 'q/quiet f/filter* format=', argv);
  const state = engineState(call);
  const rows = state.volumes
    .filter((one) => flags.list('filter').every((filter) => passes(one, filter)))
    .map(
      (one): Row => ({
        Availability: 'N/A',
        Driver: one.driver,
        Group: 'N/A',
        Labels: labelsText(one.labels),
        Links: 'N/A',
        Mountpoint: `/var/lib/docker/volumes/${one.name}/_data`,
        Name: one.name,
        Scope: 'local',
        Size: 'N/A',
        Status: 'N/A',
        [labelsOf]: one.labels,
      }),
    );
  const ids = rows.map((row) => row.Name);
  if (flags.has('quiet')) {
    printLines(call, ids);
    return;
  }
  const usual = [
    ['Driver', 'DRIVER'],
    ['Name', 'VOLUME NAME'],
  ] as const;
  printList(call, rows, flags.text('format'), usual);
}

async function removeEach(
  call: Call,
  names: readonly string[],
  remove: (state: EngineState, name: string) => void,
): Promise<void> {
  engineState(call);
  for (const name of names) {
    await call.change((state) => remove(state, name));
    call.out(`${name}\n`);
  }
}

export function labelsFrom(entries: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    entries.map((entry) => {
      const equals = entry.indexOf('=');
      return equals < 0 ? [entry, ''] : [entry.slice(0, equals), entry.slice(equals + 1)];
    }),
  );
}
