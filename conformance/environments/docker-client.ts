import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { InvalidOption } from '../invalid-option.ts';
import { type Architecture, isArchitecture } from './idle-program.ts';

const run = promisify(execFile);

/** The Docker client and the engine that the operator's environment selects. */
export type DockerClient = {
  /** The program on the operator's `PATH`. */
  program: string;
  architecture: Architecture;
  /** The address of the engine. */
  endpoint: { path: string } | { host: string; port: number };
  /** Plugin folders that a client with another `HOME` would not find. */
  pluginFolders: string[];
  /** Runs the program and returns the lines of its standard output. */
  lines: (...argv: string[]) => Promise<string[]>;
};

/** Throws `InvalidOption` if a part is missing. */
export async function findDocker(env: NodeJS.ProcessEnv = process.env): Promise<DockerClient> {
  const program = findProgram('docker', env);
  const lines = async (...argv: string[]) => {
    const { stdout } = await run(program, argv, { env, timeout: 120_000, maxBuffer: 16 * 1024 * 1024 });
    return stdout.split('\n').filter((line) => line !== '');
  };
  const [architecture = ''] = await asked(lines('version', '--format', '{{.Server.Arch}}'), 'no engine answers');
  if (!isArchitecture(architecture)) throw new InvalidOption(`--docker: no images for an engine on ${architecture}`);
  await asked(lines('compose', 'version'), 'docker has no Compose plugin');
  const [context = ''] = await lines('context', 'inspect', '--format', '{{.Endpoints.docker.Host}}');
  const settings = env.DOCKER_CONFIG ?? join(env.HOME ?? homedir(), '.docker');
  return {
    program,
    architecture,
    endpoint: readEndpoint(env.DOCKER_HOST ?? context),
    pluginFolders: [join(settings, 'cli-plugins')].filter((folder) => existsSync(folder)),
    lines,
  };
}

export function findProgram(name: string, env: NodeJS.ProcessEnv = process.env): string {
  const places = (env.PATH ?? '').split(delimiter).map((folder) => join(folder, name));
  const found = places.find((place) => existsSync(place));
  if (found === undefined) throw new InvalidOption(`no ${name} on PATH`);
  return found;
}

/** Supports Unix sockets, and TCP ports without TLS. Only these can be relayed. */
export function readEndpoint(text: string): DockerClient['endpoint'] {
  const [, path] = /^unix:\/\/(\/.*)$/.exec(text) ?? [];
  if (path !== undefined) return { path };
  const [, host, port] = /^tcp:\/\/([^/:]+):(\d+)\/?$/.exec(text) ?? [];
  if (host !== undefined) return { host, port: Number(port) };
  throw new InvalidOption(`--docker: expected an engine at unix:///PATH or tcp://HOST:PORT, found ${text}`);
}

async function asked<T>(answer: Promise<T>, otherwise: string): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const [line = ''] = (error as Error).message.trim().split('\n').slice(-1);
    throw new InvalidOption(`--docker: ${otherwise}: ${line}`);
  }
}
