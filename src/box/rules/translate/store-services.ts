import { asList, asRecord, type Fields } from '../compose/fields.ts';
import { namesSecret } from '../dotenv/placeholder.ts';
import { type Draft, fillIn, fillInAll, useVariable } from './draft.ts';
import { mountsOf, type Place } from './store-mounts.ts';
import { portsOf } from './store-ports.ts';
import { leaveOut, listed, oneLine } from './translation.ts';

export type StoreService = { name: string; service: Fields };

export type StoreCompose = {
  services: readonly StoreService[];
  /** The Compose file beside its services; empty without one. */
  document: Fields;
  /** The published port of the app's page, as the store says it. */
  page: string | null;
  place: Place;
};

/** Members of a service that are taken as they are, once variables are filled in. */
const taken = new Set(
  (
    'image command entrypoint restart depends_on healthcheck cap_add cap_drop privileged devices deploy extra_hosts ' +
    'user hostname shm_size init tty stdin_open working_dir security_opt sysctls ulimits stop_grace_period ' +
    'stop_signal pid ipc runtime logging expose dns read_only tmpfs mem_limit cpu_shares group_add profiles configs ' +
    'network_mode links platform cpus cpuset mem_reservation memswap_limit pids_limit dns_search dns_opt domainname'
  ).split(' '),
);
/** Members that are translated, or that say something to the store only. */
const translated = new Set('environment volumes ports networks container_name labels x-casaos x-runtipi'.split(' '));
/** Members that need further files, or another app's containers. */
const impossible = ['build', 'env_file', 'extends', 'secrets', 'volumes_from', 'external_links'];

const imageName = /^[^-\s\p{C}][^\s\p{C}]*$/u;
const serviceName = /^[a-zA-Z0-9._-]+$/;
const ownNetworkModes = ['bridge', 'default', ''];

/**
 * The Compose file of an app here. What is left out, and each power over the machine, becomes a note. These changes have
 * none, because they are the same for every app: Compose names the project and its containers, the form asks for folders
 * and ports, and the app has a network of its own instead of Docker's shared one.
 */
export function composeOf(draft: Draft, store: StoreCompose): Fields {
  const volumes = new Set<string>();
  const networks = new Set<string>();
  const names = new Set<string>();
  for (const key of ['include', 'secrets']) {
    if (store.document[key] !== undefined) leaveOut(`its Compose file has ${key}, which needs more files`);
  }
  if (store.services.length === 0) leaveOut('it has no services');
  const services = store.services.map(({ name, service }) => {
    if (!serviceName.test(name)) leaveOut(`Compose refuses the name of its service ${JSON.stringify(oneLine(name))}`);
    if (names.has(name)) leaveOut(`it has two services with the name ${name}`);
    names.add(name);
    return [name, serviceOf(draft, name, service, { store, volumes, networks })] as const;
  });
  return Object.fromEntries([
    ['services', Object.fromEntries(services)],
    ...part('networks', ownNetworks(draft, asRecord(store.document.networks), networks)),
    ...part('volumes', ownVolumes(draft, asRecord(store.document.volumes), volumes)),
    ...part('configs', ownConfigs(draft, asRecord(store.document.configs))),
  ]);
}

function part(key: string, entries: [string, unknown][]): [string, Fields][] {
  return entries.length === 0 ? [] : [[key, Object.fromEntries(entries)]];
}

type Within = { store: StoreCompose; volumes: Set<string>; networks: Set<string> };

function serviceOf(draft: Draft, name: string, service: Fields, { store, volumes, networks }: Within): Fields {
  const { image } = service;
  if (typeof image !== 'string' || !imageName.test(image))
    leaveOut(`its service ${name} has no image with a valid name`);
  for (const key of impossible) {
    if (service[key] !== undefined) leaveOut(`its service ${name} has ${key}, which needs more than its Compose file`);
  }
  const unknown = Object.keys(service).filter((key) => !taken.has(key) && !translated.has(key));
  if (unknown.length > 0) draft.notes.add(`${listed(unknown)} of service ${name} is not known here and was left out.`);
  const labels = labelNames(service.labels).filter((label) => label !== 'icon');
  if (labels.length > 0) draft.notes.add(`Labels of service ${name} were left out: ${listed(labels)}.`);
  const mode = oneLine(service.network_mode);
  const isOwnNetwork = ownNetworkModes.includes(mode);
  const kept = Object.entries(service)
    .filter(([key]) => taken.has(key) && (key !== 'network_mode' || !isOwnNetwork))
    .filter(([key, value]) => value !== null && (key !== 'privileged' || value !== false))
    .map(([key, value]) => [key, key === 'devices' ? presentDevices(draft, name, value) : value] as const)
    .map(([key, value]) => [key, fillInAll(draft, value)] as const)
    .filter(([key, value]) => key !== 'devices' || asList(value).length > 0);
  namePowers(draft, name, new Map(kept));
  const environment = environmentOf(draft, service.environment);
  const ports = isOwnNetwork ? portsOf(draft, asList(service.ports), store.page) : [];
  const mounts = mountsOf(draft, { service: name, mounts: asList(service.volumes), place: store.place, volumes });
  const joined = isOwnNetwork ? networksOf(draft, { name, service }, store.services.length > 1) : [];
  for (const [network] of joined) networks.add(network);
  return Object.fromEntries([
    ...kept,
    ...part('environment', environment),
    ...(ports.length > 0 ? [['ports', ports] as const] : []),
    ...(mounts.length > 0 ? [['volumes', mounts] as const] : []),
    ...part('networks', joined),
  ]);
}

/** Values that give a service less power, or join it to one of its own app. */
const noPower = /^(?:no-new-privileges\b|(?:none|private|shareable)$|service:)/;

function labelNames(labels: unknown): string[] {
  return Array.isArray(labels) ? labels.map((one) => oneLine(one).replace(/=.*/, '')) : Object.keys(asRecord(labels));
}

/** Names each power over the machine, and each of its devices; `rootPowers` says later which are as good as root. */
function namePowers(draft: Draft, name: string, service: ReadonlyMap<string, unknown>): void {
  const texts = (key: string) =>
    asList(service.get(key)).flatMap((one) => (noPower.test(textOf(one)) ? [] : [`${key}: ${textOf(one)}`]));
  const powers = [
    ...(service.has('privileged') ? ['privileged'] : []),
    ...['network_mode', 'pid', 'ipc', 'cap_add', 'security_opt', 'runtime', 'sysctls', 'group_add'].flatMap(texts),
  ];
  if (powers.length > 0) draft.notes.add(`Service ${name} asks for powers over this machine: ${powers.join(', ')}.`);
  const { devices: reserved } = asRecord(asRecord(asRecord(service.get('deploy')).resources).reservations);
  const devices = [
    ...asList(service.get('devices')).map(textOf),
    ...asList(reserved).map((one) => `${oneLine(asRecord(one).driver)} GPU`.trim()),
  ];
  if (devices.length > 0) {
    draft.notes.add(
      `Service ${name} uses devices of this machine, and does not start without one of them: ${devices.join(', ')}.`,
    );
  }
}

/** Without devices that this machine lacks, because stores list those of all machines and Docker refuses to start. */
function presentDevices(draft: Draft, name: string, devices: unknown): unknown {
  if (!Array.isArray(devices)) return devices;
  const isMissing = (device: unknown) => {
    const source = typeof device === 'string' ? device.split(':', 1)[0] : asRecord(device).source;
    return typeof source === 'string' && /^\/dev\/[^$]+$/.test(source) && draft.hasDevice?.(source) === false;
  };
  const missing = devices.filter(isMissing).map(textOf);
  if (missing.length > 0) {
    const advice = 'if you connect one, read the store anew and reinstall the app';
    draft.notes.add(`Service ${name} runs without devices that this machine lacks: ${missing.join(', ')}; ${advice}.`);
  }
  return devices.filter((device) => !isMissing(device));
}

function textOf(value: unknown): string {
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value), 6000);
}

export function environmentEntries(environment: unknown): [string, unknown][] {
  const entries = Array.isArray(environment) ? environment.map(listEntry) : Object.entries(asRecord(environment));
  const odd = entries.find(([, value]) => typeof value === 'object' && value !== null);
  if (odd !== undefined) leaveOut(`the variable ${oneLine(odd[0])} of a container is not a text`);
  return entries;
}

function listEntry(one: unknown): [string, unknown] {
  if (typeof one === 'object') return [oneLine(JSON.stringify(one)), one ?? {}];
  const entry = String(one);
  const at = entry.indexOf('=');
  return at === -1 ? [entry, null] : [entry.slice(0, at), entry.slice(at + 1)];
}

function environmentOf(draft: Draft, environment: unknown): [string, unknown][] {
  const entries = environmentEntries(environment).map(([key, value]): [string, string] => {
    if (!/^[^\s=\p{C}]+$/u.test(key))
      leaveOut(`a container has a variable with the name ${JSON.stringify(oneLine(key))}`);
    if (value !== null) return [key, fillIn(draft, String(value))];
    // Compose takes such a variable from its own environment.
    if (!/^[a-z_]\w*$/i.test(key)) leaveOut(`the variable ${key} of a container has no value`);
    useVariable(draft, key, false);
    return [key, `\${${key}}`];
  });
  for (const [key, value] of entries) if (isFixedSecret(key, value)) draft.fixedSecrets.add(key);
  return entries;
}

/** Whether the store gives this secret to everyone. */
export function isFixedSecret(key: string, value: string): boolean {
  return (
    namesSecret(key) &&
    value !== '' &&
    !/^(?:true|false|yes|no|\d{1,5}|\/.*|https?:.*)$/is.test(value) &&
    !value.includes('$')
  );
}

/** The networks of a service. The fixed name of its container becomes an alias, because other services may use it. */
function networksOf(draft: Draft, { name, service }: StoreService, hasOthers: boolean): [string, unknown][] {
  const { networks, container_name } = service;
  const joined: [string, unknown][] = Array.isArray(networks)
    ? networks.map((network) => [oneLine(network), null])
    : Object.entries(asRecord(networks)).map(([network, how]) => [network, fillInAll(draft, how)]);
  if (!hasOthers || typeof container_name !== 'string' || container_name === name) return joined;
  if (!serviceName.test(container_name)) return joined;
  return (joined.length === 0 ? [['default', null] as const] : joined).map(([network, how]) => {
    const { aliases, ...others } = asRecord(how);
    return [network, { ...others, aliases: [...asList(aliases), container_name] }];
  });
}

const networkMembers = ['driver', 'internal', 'ipam', 'enable_ipv6'];

/** Networks of the app's own, whatever their name and driver are in the store. */
function ownNetworks(draft: Draft, declared: Fields, joined: ReadonlySet<string>): [string, unknown][] {
  const all = new Map(Object.entries(declared));
  return [...joined, 'default']
    .filter((name, index, names) => names.indexOf(name) === index && (name !== 'default' || all.has(name)))
    .map((name) => {
      const entries = Object.entries(asRecord(all.get(name))).filter(([, value]) => value !== false);
      const isKept = ([key, value]: [string, unknown]) =>
        networkMembers.includes(key) && (key !== 'driver' || value === 'bridge');
      const lost = entries.filter((entry) => !isKept(entry)).map(([key]) => key);
      if (lost.length > 0) {
        draft.notes.add(`Network ${oneLine(name)} is the app's own, so this was left out of it: ${listed(lost)}.`);
      }
      return [name, fillInAll(draft, Object.fromEntries(entries.filter(isKept)))];
    });
}

/** Volumes of the app's own: never one of another app, or a folder of the machine in disguise. */
function ownVolumes(draft: Draft, declared: Fields, used: ReadonlySet<string>): [string, unknown][] {
  const all = new Map(Object.entries(declared));
  return [...used].map((name) => {
    const lost = Object.keys(asRecord(all.get(name)));
    if (lost.length > 0) {
      draft.notes.add(`Volume ${name} is the app's own, so this was left out of it: ${listed(lost)}.`);
    }
    return [name, {}];
  });
}

/** Files whose text is in the Compose file itself. */
function ownConfigs(draft: Draft, declared: Fields): [string, unknown][] {
  return Object.entries(declared).map(([name, config]) => {
    const { content } = asRecord(config);
    if (typeof content !== 'string') leaveOut(`its file ${oneLine(name)} is not in its Compose file`);
    return [name, { content: fillInAll(draft, content) }];
  });
}
