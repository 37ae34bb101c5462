import type { NewContainer } from '../model/containers.ts';
import { hex } from '../model/digest.ts';
import { findNetwork, nextAddress } from '../model/networks.ts';
import { type Container, type EngineState, type Image, type Mount, versions } from '../model/state.ts';
import { label } from './context.ts';
import type { Project } from './files/project.ts';
import type { Fields } from './files/schema.ts';
import { configHash, type Service } from './files/service.ts';

/** The container that Compose creates for a service. */
export function describeContainer(
  state: EngineState,
  project: Project,
  service: Service,
  image: Image,
  number: number,
  name: string,
  envFiles: readonly string[],
): NewContainer {
  return {
    name,
    image: service.image,
    env: Object.entries(service.environment).flatMap(([key, value]) => (value === null ? [] : [`${key}=${value}`])),
    command: service.command,
    entrypoint: service.entrypoint,
    user: String(service.fields.user ?? ''),
    workingDir: String(service.fields.working_dir ?? ''),
    hostname: String(service.fields.hostname ?? ''),
    labels: labelsOf(project, service, image, number, envFiles),
    ports: service.ports.map((port) => ({
      target: port.target,
      protocol: port.protocol,
      hostIp: port.host_ip ?? '',
      hostPort: Number((port.published ?? '').split('-')[0] || 0),
    })),
    exposed: ((service.fields.expose ?? []) as unknown[]).map((port) =>
      String(port).includes('/') ? String(port) : `${port}/tcp`,
    ),
    mounts: mountsOf(project, service, name),
    networkMode: service.networkMode || networkName(project, Object.keys(service.networks)[0] ?? '') || 'none',
    networks: joinedNetworks(state, project, service, name),
    restart: restartOf(service.fields),
    healthcheck: healthcheckOf(service.fields.healthcheck as Fields | undefined),
  };
}

function labelsOf(
  project: Project,
  service: Service,
  image: Image,
  number: number,
  envFiles: readonly string[],
): Record<string, string> {
  const needs = Object.entries(service.dependencies).map(
    ([name, one]) => `${name}:${one.condition}:${one.restart ?? false}`,
  );
  return {
    ...service.labels,
    [label.configHash]: configHash(service),
    [label.number]: String(number),
    [label.dependsOn]: needs.join(','),
    [label.image]: image.id,
    [label.oneOff]: 'False',
    [label.project]: project.name,
    [label.configFiles]: project.sources.files.join(','),
    ...(envFiles.length > 0 ? { [label.environmentFile]: envFiles.join(',') } : {}),
    [label.workingDir]: project.sources.directory,
    [label.service]: service.name,
    [label.version]: versions.compose,
  };
}

function mountsOf(project: Project, service: Service, container: string): Mount[] {
  const tmpfs = service.fields.tmpfs === undefined ? [] : [service.fields.tmpfs].flat().map(String);
  const written = service.volumes.map((mount): Mount => {
    const readOnly = mount.read_only === true;
    const common = { destination: mount.target, readOnly };
    if (mount.type === 'bind') return { type: 'bind', name: '', source: String(mount.source ?? ''), ...common };
    if (mount.type === 'tmpfs') return { type: 'tmpfs', name: '', source: '', ...common };
    const named = project.volumes.find((one) => one.key === mount.source);
    return {
      type: 'volume',
      name: named?.name ?? hex(`anonymous ${container} ${mount.target}`),
      source: '',
      ...common,
    };
  });
  return [
    ...written,
    ...tmpfs.map((target): Mount => ({ type: 'tmpfs', name: '', source: '', destination: target, readOnly: false })),
  ];
}

function networkName(project: Project, key: string): string {
  return project.networks.find((one) => one.key === key)?.name ?? '';
}

function joinedNetworks(
  state: EngineState,
  project: Project,
  service: Service,
  container: string,
): Container['networks'] {
  return Object.entries(service.networks).flatMap(([key, options]) => {
    const network = findNetwork(state, networkName(project, key));
    if (!network) return [];
    const wanted = (options ?? {}) as { aliases?: string[]; ipv4_address?: string };
    const aliases = [container, service.name, ...(wanted.aliases ?? [])];
    return [{ name: network.name, id: network.id, ip: wanted.ipv4_address ?? nextAddress(state, network), aliases }];
  });
}

function restartOf(fields: Fields): Container['restart'] {
  const [name = 'no', max = '0'] = String(fields.restart ?? 'no').split(':');
  return { name: name || 'no', max: Number(max) };
}

function healthcheckOf(fields: Fields | undefined): Record<string, unknown> | null {
  const test = fields?.test;
  if (!fields || fields.disable === true || (Array.isArray(test) && test[0] === 'NONE')) return null;
  return { Test: test, Retries: Number(fields.retries ?? 3), StartPeriod: nanoseconds(fields.start_period) };
}

const unitsInNs: Record<string, number> = { h: 3.6e12, m: 6e10, s: 1e9, ms: 1e6 };

/** A duration such as `1m30s`. */
function nanoseconds(duration: unknown): number {
  const parts = [...String(duration ?? '').matchAll(/([\d.]{1,20})(ms|[hms])/g)];
  return parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (unitsInNs[unit] ?? 0), 0);
}
