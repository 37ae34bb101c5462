import type { components } from '../api/api.gen.ts';
import type { EngineBox } from '../engine/ports.ts';
import type { KnownApp } from '../known-apps.ts';
import type { PortSpan } from '../rules/compose/port-span.ts';
import { freePorts, portVariables } from '../rules/compose/port-variables.ts';
import { composeFilesOf } from './project.ts';
import { documentsOf } from './project-warnings.ts';
import { portsOfServices } from './taken-ports.ts';

type SettingsView = components['schemas']['SettingsView'];

type PortsBox = Pick<EngineBox, 'folders' | 'records' | 'sockets'>;

/** The view with a free port beside each that a program listens on or an installed app wants. */
export async function withFreePorts(box: PortsBox, app: KnownApp, view: SettingsView): Promise<SettingsView> {
  const free = await freePortsFor(box, app.path, new Map(view.settings.map(({ name, value }) => [name, value])));
  if (free.size === 0) return view;
  const settings = view.settings.map((one) => {
    const port = free.get(one.name);
    return port === undefined ? one : { ...one, free_port: port };
  });
  return { ...view, settings };
}

/** Free ports for those in use, by variable. `directory` has the Compose file; `values` are those of variables. */
export async function freePortsFor(
  box: PortsBox,
  directory: string,
  values: ReadonlyMap<string, string>,
): Promise<Map<string, string>> {
  const variables = portVariables(await documentsOf(box.folders, directory, composeFilesOf(box, directory)));
  return variables.length === 0 ? new Map() : freePorts(values, variables, takenPorts(box));
}

function takenPorts({ folders, records, sockets }: PortsBox): PortSpan[] {
  const known = records.load();
  const wanted = folders.list('installed').flatMap(({ name }) => portsOfServices(known.get(name)?.model));
  return [...sockets.listening(), ...wanted];
}
