import type { Call } from '../handler/call.ts';
import { faultPoint } from '../handler/call.ts';
import { Failure } from '../model/failure.ts';
import { createNetwork, createVolume, findNetwork } from '../model/networks.ts';
import { versions } from '../model/state.ts';
import { label, progress } from './context.ts';
import type { Project, Resource } from './files/project.ts';
import type { Service } from './files/service.ts';
import { toMapping } from './files/short-forms.ts';

export async function ensureResources(call: Call, project: Project, services: readonly Service[]): Promise<void> {
  for (const network of project.networks) {
    if (services.some((service) => network.key in service.networks)) await ensureNetwork(call, project, network);
  }
  for (const volume of project.volumes) {
    const isUsed = services.some((service) => service.volumes.some((mount) => mount.source === volume.key));
    if (isUsed) await ensureVolume(call, project, volume);
  }
}

function labelsOf(project: Project, resource: Resource, kind: string): Record<string, string> {
  const written = Object.entries(toMapping(resource.fields.labels)).map(([name, value]) => [name, value ?? '']);
  return {
    ...Object.fromEntries(written),
    [kind]: resource.key,
    [label.project]: project.name,
    [label.version]: versions.compose,
  };
}

async function ensureNetwork(call: Call, project: Project, network: Resource): Promise<void> {
  const state = call.read();
  const known = findNetwork(state, network.name);
  if (network.external && !known) {
    throw new Failure(1, `network ${network.name} declared as external, but could not be found`);
  }
  if (known) return;
  progress(call, `Network ${network.name}`, 'Creating');
  await faultPoint(call, 'create', [network.name, project.name]);
  const labels = labelsOf(project, network, label.network);
  await call.change((now) => createNetwork(now, network.name, labels));
  progress(call, `Network ${network.name}`, 'Created');
}

async function ensureVolume(call: Call, project: Project, volume: Resource): Promise<void> {
  const state = call.read();
  const known = state.volumes.find((one) => one.name === volume.name);
  if (volume.external && !known) throw new Failure(1, `external volume ${JSON.stringify(volume.name)} not found`);
  if (known) return;
  progress(call, `Volume ${JSON.stringify(volume.name)}`, 'Creating');
  await faultPoint(call, 'create', [volume.name, project.name]);
  const labels = labelsOf(project, volume, label.volume);
  await call.change((now) => createVolume(now, volume.name, labels));
  progress(call, `Volume ${JSON.stringify(volume.name)}`, 'Created');
}
