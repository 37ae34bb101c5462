import { imagePath } from '../../model/containers.ts';
import type { Container, Image, Volume } from '../../model/state.ts';
import { portsOf } from './ports.ts';

const never = '0001-01-01T00:00:00Z';
const timeOf = (ms: number | null) => (ms === null ? never : new Date(ms).toISOString());

/** The output of `docker inspect` for a container, with the fields that callers read. */
export function containerView(container: Container): Record<string, unknown> {
  const command = [...(container.entrypoint ?? []), ...(container.command ?? ['/bin/serve'])];
  return {
    Id: container.id,
    Created: timeOf(container.createdAt),
    Path: command[0] ?? '',
    Args: command.slice(1),
    State: stateView(container),
    Image: container.imageId,
    Name: `/${container.name}`,
    RestartCount: container.restartCount,
    Driver: 'overlay2',
    Platform: 'linux',
    HostConfig: hostConfig(container),
    Mounts: container.mounts.map(mountView),
    Config: configView(container),
    NetworkSettings: networkView(container),
  };
}

function stateView(container: Container) {
  const status = container.status;
  const health = container.health;
  const failing = health === 'unhealthy' ? 3 : 0;
  return {
    Status: status,
    Running: status === 'running' || status === 'restarting',
    Paused: false,
    Restarting: status === 'restarting',
    OOMKilled: false,
    Dead: false,
    Pid: status === 'running' ? 4000 + (Number.parseInt(container.id.slice(0, 4), 16) % 20_000) : 0,
    ExitCode: container.exitCode,
    Error: container.error,
    StartedAt: timeOf(container.startedAt),
    FinishedAt: timeOf(container.finishedAt),
    ...(health === null ? {} : { Health: { Status: health, FailingStreak: failing, Log: [] } }),
  };
}

function hostConfig(container: Container) {
  const binds = container.mounts
    .filter((mount) => mount.type === 'bind')
    .map((mount) => `${mount.source}:${mount.destination}:${mount.readOnly ? 'ro' : 'rw'}`);
  const volumes = container.mounts.filter((mount) => mount.type === 'volume');
  return {
    Binds: binds.length > 0 ? binds : null,
    NetworkMode: container.networkMode,
    PortBindings: portMap(
      container.ports.map((port) => ({ ...port, ip: port.hostIp, hostPort: String(port.hostPort || '') })),
    ),
    RestartPolicy: { Name: container.restart.name, MaximumRetryCount: container.restart.max },
    ...(volumes.length > 0
      ? {
          Mounts: volumes.map((mount) => ({ Type: 'volume', Source: mount.name, Target: mount.destination })),
        }
      : {}),
    AutoRemove: false,
    Privileged: false,
    ReadonlyRootfs: false,
  };
}

type Port = { ip: string; hostPort: string; target: number; protocol: string };

/** Bindings by port; `null` for a port that is only exposed. */
function portMap(ports: readonly Port[]) {
  const map: Record<string, { HostIp: string; HostPort: string }[] | null> = {};
  for (const { ip, hostPort, target, protocol } of ports) {
    const key = `${target}/${protocol}`;
    const before = map[key] ?? [];
    map[key] = hostPort === '0' ? null : [...before, { HostIp: ip, HostPort: hostPort }];
  }
  return map;
}

function mountView(mount: Container['mounts'][number]) {
  const isVolume = mount.type === 'volume';
  return {
    Type: mount.type,
    ...(isVolume ? { Name: mount.name } : {}),
    Source: isVolume ? `/var/lib/docker/volumes/${mount.name}/_data` : mount.source,
    Destination: mount.destination,
    ...(isVolume ? { Driver: 'local' } : {}),
    Mode: isVolume ? 'z' : mount.readOnly ? 'ro' : 'rw',
    RW: !mount.readOnly,
    Propagation: mount.type === 'bind' ? 'rprivate' : '',
  };
}

function configView(container: Container) {
  const exposed = [
    ...new Set([...container.ports.map((port) => `${port.target}/${port.protocol}`), ...container.exposed]),
  ];
  return {
    Hostname: container.hostname,
    Domainname: '',
    User: container.user,
    AttachStdin: false,
    AttachStdout: true,
    AttachStderr: true,
    ...(exposed.length > 0 ? { ExposedPorts: Object.fromEntries(exposed.map((port) => [port, {}])) } : {}),
    Tty: false,
    OpenStdin: false,
    StdinOnce: false,
    Env: container.env,
    Cmd: container.command ?? ['/bin/serve'],
    ...(container.healthcheck ? { Healthcheck: container.healthcheck } : {}),
    Image: container.image,
    Volumes: null,
    WorkingDir: container.workingDir,
    Entrypoint: container.entrypoint,
    OnBuild: null,
    Labels: container.labels,
  };
}

function networkView(container: Container) {
  const isUp = container.status === 'running';
  const bound = portMap(portsOf(container).map((port) => ({ ...port, hostPort: String(port.hostPort) })));
  const networks = container.networks.map((joined) => [
    joined.name,
    {
      IPAMConfig: null,
      Aliases: joined.aliases,
      NetworkID: joined.id,
      IPAddress: isUp ? joined.ip : '',
      DNSNames: joined.aliases,
    },
  ]);
  return { Ports: bound, Networks: Object.fromEntries(networks) };
}

export function imageView(image: Image): Record<string, unknown> {
  return {
    Id: image.id,
    RepoTags: image.tags,
    RepoDigests: image.digests,
    Parent: '',
    Comment: '',
    Created: image.created,
    DockerVersion: '',
    Author: '',
    Config: { Env: [imagePath], Cmd: ['/bin/serve'], WorkingDir: '', Entrypoint: null, Labels: null },
    Architecture: 'amd64',
    Os: 'linux',
    Size: image.size,
    GraphDriver: { Data: null, Name: 'overlay2' },
    RootFS: { Type: 'layers', Layers: [image.manifest] },
    Metadata: { LastTagTime: never },
  };
}

/** The time and the place on the disk are the same for every volume. */
export function volumeView({ name, labels }: Volume): Record<string, unknown> {
  return {
    CreatedAt: '2026-01-02T03:04:05Z',
    Driver: 'local',
    Labels: labels,
    Mountpoint: `/var/lib/docker/volumes/${name}/_data`,
    Name: name,
    Options: null,
    Scope: 'local',
  };
}
