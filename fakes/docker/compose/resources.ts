import type { Call } from '../handler/call.ts';
import { faultPoint } from '../handler/call.ts';
import { Failure } from '../model/failure.ts';
import { createNetwork, createVolume, findNetwork } from '../model/networks.ts';
import { label, progress } from './context.ts';
import { logWarning, type Project, type Resource } from './files/project.ts';
import type { Service } from './files/service.ts';
import { toMapping } from './files/short-forms.ts';

/** Creates the missing networks and volumes of the selected services. */
export async function ensureResources(
  call: Call,
  project: Project,
  services: readonly Service[],
): Promise<void> {
  for (const network of project.networks) {
    if (services.some((service) => network.key in service.networks))
      await ensureNetwork(call, project, network);
  }
  for (const volume of project.volumes) {
    const isUsed = services.some((service) => service.volumes.some((mount) => mount.source === volume.key));
    if (isUsed) await ensureVolume(call, project, volume);
  }
}

function labelsOf(
  project: Project,
  resource: Resource,
  kind: string,
  version: string,
): Record<string, string> {
  const written = Object.entries(toMapping(resource.fields.labels)).map(([name, value]) => [
    name,
    value ?? '',
  ]);
  return {
    ...Object.fromEntries(written),
    [kind]: resource.key,
    [label.project]: project.name,
    [label.version]: version,
  };
}

async function ensureNetwork(call: Call, project: Project, network: Resource): Promise<void> {
  const state = call.read();
  const known = findNetwork(state, network.name);
  if (network.external && !known) {
    throw new Failure(1, `network ${network.name} declared as external, but could not be found`);
  }
  if (known) return warnOfForeign(call, project, known.labels, network.name);
  progress(call, `Network ${network.name}`, 'Creating');
  await faultPoint(call, 'create', [network.name, project.name]);
  const wanted = {
    name: network.name,
    driver: String(network.fields.driver ?? 'bridge'),
    internal: network.fields.internal === true,
    labels: labelsOf(project, network, label.network, state.versions.compose),
  };
  await call.change((now) => createNetwork(now, wanted, call.now()));
  progress(call, `Network ${network.name}`, 'Created');
}

function warnOfForeign(call: Call, project: Project, labels: Record<string, string>, name: string): void {
  if (labels[label.project] === project.name || labels[label.project] === undefined) return;
  logWarning(
    call,
    `a network with name ${name} exists but was not created for project ${JSON.stringify(project.name)}.\nSet \`external: true\` to use an existing network`,
  );
}

async function ensureVolume(call: Call, project: Project, volume: Resource): Promise<void> {
  const state = call.read();
  const known = state.volumes.find((one) => one.name === volume.name);
  if (volume.external && !known)
    throw new Failure(1, `external volume ${JSON.stringify(volume.name)} not found`);
  if (known) {
    const owner = known.labels[label.project];
    if (volume.external || owner === project.name) return;
    return logWarning(
      call,
      `volume ${JSON.stringify(volume.name)} already exists but was ${owner ? `created for project ${JSON.stringify(owner)} (expected ${JSON.stringify(project.name)})` : 'not created by Docker Compose'}. Use \`external: true\` to use an existing volume`,
    );
  }
  progress(call, `Volume ${JSON.stringify(volume.name)}`, 'Creating');
  await faultPoint(call, 'create', [volume.name, project.name]);
  const labels = labelsOf(project, volume, label.volume, state.versions.compose);
  await call.change((now) => createVolume(now, volume.name, labels, call.now()));
  progress(call, `Volume ${JSON.stringify(volume.name)}`, 'Created');
}
