import type { Call } from '../handler/call.ts';
import type { Flags } from '../handler/views/flags.ts';
import type { Container, EngineState } from '../model/state.ts';
import { checkProjectName, loadProject, type Project } from './files/project.ts';

export type Compose = { call: Call; global: Flags; argv: readonly string[] };

export const label = {
  project: 'com.docker.compose.project',
  service: 'com.docker.compose.service',
  number: 'com.docker.compose.container-number',
  oneOff: 'com.docker.compose.oneoff',
  workingDir: 'com.docker.compose.project.working_dir',
  configFiles: 'com.docker.compose.project.config_files',
  environmentFile: 'com.docker.compose.project.environment_file',
  configHash: 'com.docker.compose.config-hash',
  dependsOn: 'com.docker.compose.depends_on',
  image: 'com.docker.compose.image',
  version: 'com.docker.compose.version',
  replace: 'com.docker.compose.replace',
  network: 'com.docker.compose.network',
  volume: 'com.docker.compose.volume',
} as const;

/** Loads the project from its files; only the name if just `-p` is given. */
export function projectOrName(compose: Compose): { name: string; project: Project | null } {
  const { call, global } = compose;
  const given = global.text('project-name') || call.env.COMPOSE_PROJECT_NAME;
  if (given && global.list('file').length === 0) return { name: checkProjectName(given), project: null };
  const project = loadProject(call, global, [], { warns: true });
  return { name: project.name, project };
}

export function projectContainers(state: EngineState, project: string): Container[] {
  return state.containers
    .filter((one) => one.labels[label.project] === project)
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

export function serviceContainers(state: EngineState, project: string, service: string): Container[] {
  return projectContainers(state, project)
    .filter((one) => one.labels[label.service] === service)
    .sort((one, other) => Number(one.labels[label.number]) - Number(other.labels[label.number]));
}

/** Prints one progress line as Compose does without a terminal. */
export function progress(call: Call, what: string, status: string): void {
  call.err(` ${what}  ${status}\n`);
}
