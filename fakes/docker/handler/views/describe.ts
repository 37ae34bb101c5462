import { findImage } from '../../model/images.ts';
import type { Container, EngineState } from '../../model/state.ts';
import { labelsOf, type Row } from '../list.ts';
import { portsOf, portsText } from './ports.ts';

/** A duration in the words of the client. */
export function humanDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 1) return 'Less than a second';
  if (seconds === 1) return '1 second';
  if (seconds < 60) return `${seconds} seconds`;
  const minutes = Math.floor(seconds / 60);
  if (minutes === 1) return 'About a minute';
  if (minutes < 60) return `${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  if (hours === 1) return 'About an hour';
  if (hours < 48) return `${hours} hours`;
  const days = Math.floor(hours / 24);
  if (days < 14) return `${days} days`;
  if (days < 60) return `${Math.floor(days / 7)} weeks`;
  return days < 730 ? `${Math.floor(days / 30)} months` : `${Math.floor(days / 365)} years`;
}

function statusText(container: Container, now: number): string {
  const status = container.status;
  const ago = `${humanDuration(now - (container.finishedAt ?? now))} ago`;
  if (status === 'created') return 'Created';
  if (status === 'exited') return `Exited (${container.exitCode}) ${ago}`;
  if (status === 'restarting') return `Restarting (${container.exitCode}) ${ago}`;
  const up = `Up ${humanDuration(now - (container.startedAt ?? now))}`;
  const health = container.health;
  if (!health) return up;
  return `${up} (${health === 'starting' ? 'health: starting' : health})`;
}

function commandText(container: Container, whole: boolean): string {
  const text = [
    ...(container.entrypoint ?? []),
    ...(container.command ?? (container.entrypoint ? [] : ['/bin/serve'])),
  ].join(' ');
  return `"${whole || text.length <= 20 ? text : `${text.slice(0, 19)}…`}"`;
}

/** The image in lists: its reference while that is current, else the id. */
export function imageText(state: EngineState, container: Container, whole: boolean): string {
  const named = findImage(state, container.image);
  if (named?.id === container.imageId) {
    return container.image;
  }
  return whole ? container.imageId : container.imageId.slice(7, 19);
}

export function shortTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} +0000 UTC`;
}

export function labelsText(labels: Record<string, string>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');
}

export function sizeText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${Number(value.toPrecision(3))}${units[unit]}`;
}

/** The fields of `docker ps` for one container, in the order of its JSON. */
export function containerRow(state: EngineState, container: Container, whole: boolean, now: number): Row {
  const mounts = container.mounts.map((mount) => mount.name || mount.source);
  const shortened = (text: string) => (whole || text.length <= 15 ? text : `${text.slice(0, 14)}…`);
  return {
    Command: commandText(container, whole),
    CreatedAt: shortTime(container.createdAt),
    ID: whole ? container.id : container.id.slice(0, 12),
    Image: imageText(state, container, whole),
    Labels: labelsText(container.labels),
    LocalVolumes: String(container.mounts.filter((mount) => mount.type === 'volume').length),
    Mounts: mounts.map(shortened).join(','),
    Names: container.name,
    Networks: container.networks.map((network) => network.name).join(',') || container.networkMode,
    Ports: portsText(portsOf(container)),
    RunningFor: `${humanDuration(now - container.createdAt)} ago`,
    Size: '0B (virtual 4.26MB)',
    State: container.status,
    Status: statusText(container, now),
    [labelsOf]: container.labels,
  };
}
