import type { components } from '../api/api.gen.ts';
import type { Core } from '../core.ts';
import type { EngineBox } from '../engine/ports.ts';
import type { KnownApp } from '../known-apps.ts';
import { readDocuments } from '../rules/compose/compose-file.ts';
import type { PortSpan } from '../rules/compose/port-span.ts';
import { freePorts, type PortVariable, portVariables } from '../rules/compose/port-variables.ts';
import { composeFilesOf, readComposeTexts } from './project.ts';
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
  const variables = await portVariablesOf(box, app.path);
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

/** None for files that cannot be read. */
async function portVariablesOf(box: Pick<Core, 'folders'>, directory: string): Promise<PortVariable[]> {
  const texts = readComposeTexts(box, directory, composeFilesOf(box, directory));
  if (typeof texts === 'string') return [];
  try {
    return portVariables(await readDocuments(texts));
  } catch {
    return []; // The install says what is wrong with them.
  }
}
