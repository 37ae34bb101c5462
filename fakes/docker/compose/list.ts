import { engineState, faultPoint } from '../handler/call.ts';
import { alignTable, printLines, printList, type Row } from '../handler/list.ts';
import { splitFilter } from '../handler/views/container-filter.ts';
import { containerRow, imageText, sizeText } from '../handler/views/describe.ts';
import { readFlags } from '../handler/views/flags.ts';
import { portsOf } from '../handler/views/ports.ts';
import { Failure } from '../model/failure.ts';
import { parseReference } from '../model/reference.ts';
import type { Container, EngineState } from '../model/state.ts';
import { type Compose, label, projectContainers, projectOrName } from './context.ts';

const psColumns = [
  ['Name', 'NAME'],
  ['Image', 'IMAGE'],
  ['Command', 'COMMAND'],
  ['Service', 'SERVICE'],
  ['RunningFor', 'CREATED'],
  ['Status', 'STATUS'],
  ['Ports', 'PORTS'],
] as const;

export async function listContainers(compose: Compose): Promise<void> {
  const { call, argv } = compose;
  const flags = readFlags('compose ps', 'a/all q/quiet format= services filter* status* no-trunc orphans', argv);
  const { name, project } = projectOrName(compose);
  await faultPoint(call, 'compose ps', [name]);
  const state = engineState(call);
  const now = call.now();
  const statuses = statusFilters(flags.list('filter'), flags.list('status'));
  const all = flags.has('all') || statuses.length > 0;
  for (const service of flags.rest)
    checkService(
      service,
      project?.services.map((one) => one.name),
      projectContainers(state, name),
    );
  const found = projectContainers(state, name)
    .filter((one) => all || ['running', 'restarting'].includes(one.status))
    .filter((one) => statuses.length === 0 || statuses.includes(one.status))
    .filter((one) => flags.rest.length === 0 || flags.rest.includes(one.labels[label.service] ?? ''));
  if (flags.has('quiet'))
    return printLines(
      call,
      found.map((one) => one.id),
    );
  if (flags.has('services')) {
    return printLines(call, new Set(found.map((one) => one.labels[label.service])));
  }
  const rows = found.map((one) => psRow(state, one, flags.has('no-trunc'), now));
  printList(call, rows, flags.text('format'), psColumns);
}

function statusFilters(filters: readonly string[], statuses: readonly string[]): string[] {
  const fromFilters = filters.map((filter) => {
    const [name, value] = splitFilter(filter);
    if (name !== 'status') throw new Failure(1, `unknown filter ${name}`);
    return value;
  });
  return [...statuses, ...fromFilters];
}

function checkService(service: string, known: readonly string[] | undefined, containers: readonly Container[]): void {
  if (known?.includes(service) || containers.some((one) => one.labels[label.service] === service)) return;
  throw new Failure(1, `no such service: ${service}`);
}

function psRow(state: EngineState, container: Container, whole: boolean, now: number): Row {
  const row = containerRow(state, container, whole, now);
  const isUp = container.status === 'running';
  return {
    Command: row.Command,
    CreatedAt: row.CreatedAt,
    ExitCode: isUp ? 0 : container.exitCode,
    Health: (isUp && container.health) || '',
    ID: row.ID,
    Image: imageText(state, container, true),
    Labels: row.Labels,
    LocalVolumes: row.LocalVolumes,
    Mounts: row.Mounts,
    Name: container.name,
    Names: container.name,
    Networks: row.Networks,
    Ports: row.Ports,
    Project: container.labels[label.project],
    Publishers: publishers(container),
    RunningFor: row.RunningFor,
    Service: container.labels[label.service],
    Size: '0B',
    State: row.State,
    Status: row.Status,
  };
}

function publishers(container: Container) {
  const ports = portsOf(container);
  if (ports.length === 0) return null;
  return ports.map(({ ip, hostPort, target, protocol }) => ({
    URL: ip,
    TargetPort: target,
    PublishedPort: hostPort,
    Protocol: protocol,
  }));
}

export async function listImages(compose: Compose): Promise<void> {
  const { call, argv } = compose;
  const flags = readFlags('compose images', 'q/quiet format=', argv);
  const { name } = projectOrName(compose);
  await faultPoint(call, 'compose images', [name]);
  const state = engineState(call);
  const rows = projectContainers(state, name)
    .filter((one) => flags.rest.length === 0 || flags.rest.includes(one.labels[label.service] ?? ''))
    .map((one) => imageRow(state, one));
  if (flags.has('quiet')) return printLines(call, new Set(rows.map((row) => row.ID.replace('sha256:', ''))));
  if (flags.text('format') === 'json') return call.out(`${JSON.stringify(rows)}\n`);
  const lines = rows.map((row) => [
    row.ContainerName,
    row.Repository,
    row.Tag,
    row.ID.slice(7, 19),
    sizeText(row.Size),
  ]);
  call.out(alignTable([['CONTAINER', 'REPOSITORY', 'TAG', 'IMAGE ID', 'SIZE'], ...lines], 20));
}

function imageRow(state: EngineState, container: Container) {
  const image = state.images.find((one) => one.id === container.imageId);
  const reference = image?.tags.includes(parseReference(container.image)?.familiar ?? '')
    ? parseReference(container.image)
    : parseReference(image?.tags[0] ?? '');
  return {
    ID: image ? image.id : container.imageId,
    ContainerName: container.name,
    Repository: reference?.name ?? '<none>',
    Tag: reference?.tag ?? '<none>',
    Size: image?.size ?? 0,
  };
}

/** `docker compose ls`: all projects that have containers. */
export async function listProjects({ call, argv }: Compose): Promise<void> {
  const flags = readFlags('compose ls', 'a/all q/quiet format=', argv);
  await faultPoint(call, 'compose ls', []);
  const state = engineState(call);
  const names = new Set(state.containers.map((one) => one.labels[label.project]).filter((name) => name !== undefined));
  const rows = [...names].sort().flatMap((name) => {
    const containers = projectContainers(state, name);
    const isUp = containers.some((one) => one.status === 'running');
    if (!flags.has('all') && !isUp) return [];
    const files = containers[0]?.labels[label.configFiles] ?? '';
    return [{ Name: name, Status: statusSummary(containers), ConfigFiles: files }];
  });
  if (flags.has('quiet'))
    return printLines(
      call,
      rows.map((row) => row.Name),
    );
  if (flags.text('format') === 'json') return call.out(`${JSON.stringify(rows)}\n`);
  call.out(
    alignTable([['NAME', 'STATUS', 'CONFIG FILES'], ...rows.map((row) => [row.Name, row.Status, row.ConfigFiles])], 20),
  );
}

function statusSummary(containers: readonly Container[]): string {
  const counts = new Map<string, number>();
  for (const container of containers) {
    const status = container.status;
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  return [...counts]
    .sort()
    .map(([status, count]) => `${status}(${count})`)
    .join(', ');
}
