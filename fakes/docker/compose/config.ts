import { stringify } from 'yaml';
import { printLines } from '../handler/list.ts';
import { readFlags } from '../handler/views/flags.ts';
import type { Compose } from './context.ts';
import { inDependencyOrder, loadProject, type Project, type Resource, selectServices } from './files/project.ts';
import { configHash, sorted } from './files/service.ts';

const form = 'format= q/quiet services images hash= profiles volumes networks no-interpolate';

/** `docker compose config`: the project after substitution, or one view of it. Asks nothing of the engine. */
export async function config({ call, global, argv }: Compose): Promise<void> {
  const flags = readFlags('compose config', form, argv);
  const project = loadProject(call, global, flags.rest, { substitutes: !flags.has('no-interpolate') });
  const services = selectServices(project, flags.rest, true);
  if (flags.has('quiet')) return;
  const lines = viewOf(project, flags);
  if (lines) return printLines(call, lines);
  const isJson = flags.text('format') === 'json';
  const view = {
    name: project.name,
    ...(project.networks.length > 0 ? { networks: resourcesView(project.networks, isJson) } : {}),
    services: Object.fromEntries(services.map((one) => [one.name, one.fields])),
    ...(project.volumes.length > 0 ? { volumes: resourcesView(project.volumes) } : {}),
  };
  const text = isJson ? JSON.stringify(view, null, 2) : yamlText(view);
  call.out(flags.has('no-interpolate') ? text : text.replaceAll('$', '$$$$'));
}

type View = { name: string; networks?: unknown; services: Record<string, unknown>; volumes?: unknown };

function yamlText({ name, services, ...others }: View): string {
  const shown = Object.entries(services).map(([key, fields]) => [key, withoutNulls(fields as Record<string, unknown>)]);
  return stringify({ name, services: Object.fromEntries(shown), ...others }, { lineWidth: 0 });
}

function withoutNulls(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([key, value]) => value !== null || !['command', 'entrypoint'].includes(key)),
  );
}

function viewOf(project: Project, flags: ReturnType<typeof readFlags>): string[] | null {
  if (flags.has('services')) return inDependencyOrder(project.services).map((one) => one.name);
  if (flags.has('images')) return project.services.map((one) => one.image);
  if (flags.has('volumes')) return project.volumes.map((one) => one.key);
  if (flags.has('networks')) return project.networks.map((one) => one.key);
  if (flags.has('profiles')) {
    return [...new Set([...project.services, ...project.disabled].flatMap((one) => one.profiles))].sort();
  }
  const hashed = flags.text('hash');
  if (hashed === undefined) return null;
  const wanted = hashed === '*' ? null : hashed.split(',');
  return project.services
    .filter((one) => !wanted || wanted.includes(one.name))
    .map((one) => `${one.name} ${configHash(one)}`);
}

function resourcesView(resources: readonly Resource[], isJson = false): Record<string, unknown> {
  const shown = resources.map((one) => [
    one.key,
    { ...one.fields, name: one.name, ...(one.key === 'default' && isJson ? { ipam: {} } : {}) },
  ]);
  return sorted(Object.fromEntries(shown));
}
