import type { components } from '../api/api.gen.ts';
import type { EngineBox } from '../engine/ports.ts';
import type { KnownApp } from '../known-apps.ts';
import type { PortSpan } from '../rules/compose/port-span.ts';
import { freePorts, portVariables } from '../rules/compose/port-variables.ts';
import { composeFilesOf } from './project.ts';
import { documentsOf } from './project-warnings.ts';
import { portsOfServices } from './taken-ports.ts';

type SettingsView = components['schemas']['SettingsView'];

/**
 * The settings view of an app that is not installed, with a free port beside each that a program listens on or an
 * installed app wants.
 */
export async function withFreePorts(
  box: Pick<EngineBox, 'folders' | 'records' | 'sockets'>,
  app: KnownApp,
  view: SettingsView,
): Promise<SettingsView> {
  const variables = portVariables(await documentsOf(box.folders, app.path, composeFilesOf(box, app.path)));
  if (variables.length === 0) return view;
  const values = new Map(view.settings.map(({ name, value }) => [name, value]));
  const free = freePorts(values, variables, takenPorts(box));
  const settings = view.settings.map((one) => {
    const port = free.get(one.name);
    return port === undefined ? one : { ...one, free_port: port };
  });
  return { ...view, settings };
}

/** The ports on which programs listen, and those that installed apps want, whether they run or not. */
export function takenPorts({
  folders,
  records,
  sockets,
}: Pick<EngineBox, 'folders' | 'records' | 'sockets'>): PortSpan[] {
  const known = records.load();
  const wanted = folders.list('installed').flatMap(({ name }) => portsOfServices(known.get(name)?.model));
  return [...sockets.listening(), ...wanted];
}
