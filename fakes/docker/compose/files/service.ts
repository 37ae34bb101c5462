import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { hex } from '../../model/digest.ts';
import { Failure } from '../../model/failure.ts';
import { parseDotenv } from './dotenv.ts';
import type { Lookup } from './interpolate.ts';
import { readText } from './read-text.ts';
import { type Fields, isFields } from './schema.ts';
import {
  type Dependency,
  type EnvFile,
  type Port,
  toDependencies,
  toEnvFiles,
  toMapping,
  toNetworks,
  toPorts,
  toVolumes,
  toWords,
  type VolumeMount,
} from './short-forms.ts';

/** A service in its long form. `fields` is the output of `config` and the input of the configuration hash. */
export type Service = {
  name: string;
  image: string;
  isBuilt: boolean;
  containerName: string;
  scale: number;
  environment: Record<string, string | null>;
  labels: Record<string, string>;
  command: string[] | null;
  entrypoint: string[] | null;
  ports: Port[];
  volumes: VolumeMount[];
  networks: Record<string, unknown>;
  networkMode: string;
  dependencies: Record<string, Dependency>;
  profiles: string[];
  pullPolicy: string;
  fields: Fields;
};

/** Converts a service to its long form and reads its environment files. */
export function readService(
  name: string,
  project: string,
  written: Fields,
  directory: string,
  lookup: Lookup,
): Service {
  const build = typeof written.build === 'string' ? { context: written.build } : written.build;
  if (!written.image && !build) {
    throw new Failure(
      15,
      `service ${JSON.stringify(name)} has neither an image nor a build context specified: invalid compose project`,
    );
  }
  const parts = {
    environment: environmentOf(written, directory, lookup),
    labels: Object.fromEntries(Object.entries(toMapping(written.labels)).map(([key, value]) => [key, value ?? ''])),
    command: toWords(written.command),
    entrypoint: toWords(written.entrypoint),
    ports: toPorts(name, written.ports),
    volumes: toVolumes(written.volumes, { directory, home: lookup('HOME') || homedir() }),
    networks: toNetworks(written),
    dependencies: toDependencies(written.depends_on),
    profiles: ((written.profiles ?? []) as unknown[]).map(String),
  };
  return {
    name,
    image: String(written.image ?? `${project}-${name}`),
    isBuilt: build !== undefined,
    containerName: String(written.container_name ?? ''),
    scale: scaleOf(written),
    networkMode: String(written.network_mode ?? ''),
    pullPolicy: String(written.pull_policy ?? ''),
    ...parts,
    fields: longForm(written, parts, isFields(build) ? build : null, directory),
  };
}

function scaleOf(written: Fields): number {
  const replicas = isFields(written.deploy) ? written.deploy.replicas : undefined;
  return Number(written.scale ?? replicas ?? 1);
}

function environmentOf(written: Fields, directory: string, lookup: Lookup): Record<string, string | null> {
  const values = new Map<string, string | null>();
  for (const file of toEnvFiles(written.env_file, directory)) readEnvFile(file, values, lookup);
  for (const [name, value] of Object.entries(toMapping(written.environment)))
    values.set(name, value ?? lookup(name) ?? null);
  return Object.fromEntries(values);
}

function readEnvFile(file: EnvFile, values: Map<string, string | null>, lookup: Lookup): void {
  if (!existsSync(file.path)) {
    if (!file.required) return;
    throw new Failure(14, `env file ${file.path} not found: stat ${file.path}: no such file or directory`);
  }
  const find: Lookup = (name) => values.get(name) ?? lookup(name);
  try {
    const text = readText(file.path);
    for (const [name, value] of parseDotenv(text, find)) values.set(name, value);
  } catch (error) {
    throw new Failure(15, (error as Error).message);
  }
}

type Parts = Pick<
  Service,
  'environment' | 'labels' | 'command' | 'entrypoint' | 'ports' | 'volumes' | 'networks' | 'dependencies'
>;

function longForm(written: Fields, parts: Parts, build: Fields | null, directory: string): Fields {
  const { env_file: _read, depends_on: _long, ...others } = written;
  const hasAny = (value: object) => Object.keys(value).length > 0;
  const context = build ? resolve(directory, String(build.context ?? '.')) : '';
  const fields: Fields = {
    ...others,
    command: parts.command,
    entrypoint: parts.entrypoint,
    ...(build ? { build: { ...build, context, dockerfile: build.dockerfile ?? 'Dockerfile' } } : {}),
    ...(hasAny(parts.dependencies) ? { depends_on: parts.dependencies } : {}),
    ...(hasAny(parts.environment) ? { environment: sorted(parts.environment) } : {}),
    ...(hasAny(parts.labels) ? { labels: parts.labels } : {}),
    ...(hasAny(parts.networks) ? { networks: parts.networks } : {}),
    ...(parts.ports.length > 0 ? { ports: parts.ports } : {}),
    ...(parts.volumes.length > 0 ? { volumes: parts.volumes } : {}),
    ...(written.healthcheck ? { healthcheck: longHealthcheck(written.healthcheck as Fields) } : {}),
  };
  return sorted(fields);
}

function longHealthcheck(written: Fields): Fields {
  const test = typeof written.test === 'string' ? ['CMD-SHELL', written.test] : written.test;
  return { ...written, ...(test ? { test } : {}) };
}

export function sorted<T>(fields: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The `config-hash` label: it covers everything that requires a new container. */
export function configHash(service: Service): string {
  const {
    build: _build,
    pull_policy: _policy,
    scale: _scale,
    deploy: _deploy,
    depends_on: _depends,
    profiles: _profiles,
    ...rest
  } = service.fields;
  return hex(canonical({ ...rest, image: service.image }));
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isFields(value)) return JSON.stringify(value) ?? 'null';
  const entries = Object.keys(value).sort();
  return `{${entries.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(',')}}`;
}
