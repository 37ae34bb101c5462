/** Powers that make an app as good as root. They are named, not refused: an owner trusts the author. */

import { asList, asRecord, type Fields } from './fields.ts';
import { interpolate } from './variables.ts';

type Env = Pick<ReadonlyMap<string, string>, 'get'>;

const hostNamespaces = {
  network_mode: "the machine's network",
  pid: "the machine's processes",
  ipc: "the machine's shared memory",
  userns_mode: "the machine's users",
  cgroup: "the machine's control groups",
} as const;

/** Capabilities with which a container gets out of its limits. */
const strongCapabilities = new Set(
  'ALL SYS_ADMIN SYS_MODULE SYS_PTRACE SYS_RAWIO DAC_READ_SEARCH SYS_BOOT BPF PERFMON'.split(' '),
);
const disksAndMemory = /^\/dev(?:\/(?:sd|hd|vd|xvd|nvme|mmcblk|dm-|md|mapper|disk|mem|kmem|port|loop|fuse)|\/?$)/;
/** Nearly every image mounts them to learn the time zone. */
const clockFiles = new Set(['/etc/localtime', '/etc/timezone']);

/** The powers of a service, and the paths in the app's directory that it may write. */
export type ServicePowers = { service: string; powers: Set<string>; writes: Set<string> };

/** `directory`: that of the app; paths in it may be absolute. */
export function rootPowers(documents: readonly unknown[], env: Env, directory: string): ServicePowers[] {
  const found = new Map<string, ServicePowers>();
  const read = (value: unknown) => textOf(value, env);
  for (const document of documents.map(asRecord)) {
    const shared = {
      volumes: asRecord(document.volumes),
      files: [asRecord(document.configs), asRecord(document.secrets)],
    };
    for (const [name, one] of Object.entries(asRecord(document.services))) {
      const all = found.get(name) ?? { service: name, powers: new Set(), writes: new Set() };
      found.set(name, all);
      for (const power of powersOf(asRecord(one), read)) all.powers.add(power);
      for (const { path: written, isReadOnly } of mountsOf(asRecord(one), shared, read)) {
        const path = inside(written, directory);
        const isClock = isReadOnly && clockFiles.has(path);
        if (leadsOut(path) && !isClock) all.powers.add(path);
        else if (!isReadOnly) all.writes.add(path);
      }
    }
  }
  return [...found.values()];
}

type Shared = { volumes: Fields; files: readonly Fields[] };
type Read = (value: unknown) => string;
type Mount = { path: string; isReadOnly: boolean };

function powersOf(service: Fields, read: Read): string[] {
  const hooks = [service.post_start, service.pre_stop].flatMap(asList).map(asRecord);
  const build = asRecord(service.build);
  const isPrivileged =
    [service, build, ...hooks].some(({ privileged }) => read(privileged) === 'true') ||
    asList(build.entitlements).some((one) => read(one) === 'security.insecure');
  return [
    ...(isPrivileged ? ['privileged'] : []),
    ...Object.entries(hostNamespaces).flatMap(([key, power]) => (read(service[key]) === 'host' ? [power] : [])),
    ...asList(service.cap_add).flatMap((one) => capability(read(one))),
    ...(read(service.use_api_socket) === 'true' ? ["Docker's socket"] : []),
    ...(service.provider === undefined ? [] : ['a program of the machine']),
    ...asList(service.devices)
      .map((one) => (typeof one === 'string' ? read(one).replace(/:.*/s, '') : read(asRecord(one).source)))
      .filter((path) => disksAndMemory.test(path)),
    // A container may make the files of devices by itself.
    ...asList(service.device_cgroup_rules).flatMap((one) =>
      /^\s*[ab]\s/.test(read(one)) ? ['disks of the machine'] : [],
    ),
  ];
}

function capability(name: string): string[] {
  const plain = name.toUpperCase().replace(/^CAP_/, '');
  return strongCapabilities.has(plain) ? [`the capability ${plain}`] : [];
}

function mountsOf(service: Fields, { volumes, files }: Shared, read: Read): Mount[] {
  const named = [service.configs, service.secrets].flatMap((entries, index) =>
    asList(entries).map((entry) => {
      const source = typeof entry === 'string' ? entry : read(asRecord(entry).source);
      return { path: read(asRecord(files[index]?.[source]).file), isReadOnly: true };
    }),
  );
  return [...asList(service.volumes).map((one) => mountOf(one, volumes, read)), ...named].filter(
    ({ path }) => path !== '',
  );
}

/** The path is empty for a volume of Docker's own. */
function mountOf(mount: unknown, volumes: Fields, read: Read): Mount {
  const [first = '', target, options = ''] = typeof mount === 'string' ? read(mount).split(':') : [];
  const { type, source, read_only } = asRecord(mount);
  const from = target === undefined ? read(source) : first;
  const isReadOnly = options.split(',').includes('ro') || read(read_only) === 'true';
  // A named volume can be a directory of the machine too.
  const { device, o } = asRecord(asRecord(volumes[from]).driver_opts);
  if (/\bbind\b/.test(read(o))) return { path: read(device), isReadOnly };
  const isPath = target === undefined ? read(type) === 'bind' : /^[.~/]/.test(from);
  return { path: isPath ? from : '', isReadOnly };
}

/** A path in the app's directory as a relative one. */
function inside(path: string, directory: string): string {
  if (path === directory || path.startsWith(`${directory}/`)) return `.${path.slice(directory.length)}`;
  return path;
}

function leadsOut(path: string): boolean {
  if (path.startsWith('/') || path.startsWith('~')) return true;
  let depth = 0;
  for (const part of path.split('/')) {
    if (part === '..') depth -= 1;
    else if (part !== '.' && part !== '') depth += 1;
    if (depth < 0) return true;
  }
  return false;
}

/** A value with its variables filled in; as it is if Compose would refuse it. */
function textOf(value: unknown, env: Env): string {
  if (typeof value !== 'string') return value === undefined || value === null ? '' : String(value);
  return interpolate(value, env) ?? value;
}
