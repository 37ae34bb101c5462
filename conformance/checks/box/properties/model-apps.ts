import type { AppFiles } from '../../../../fakes/app-files.ts';
import { allSettings, manifest } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { type BoxModel, placeholder, type Values } from './box-model.ts';

/** One app with an example, one without, and one with a required key. */
export const examples: Readonly<Record<string, Values>> = {
  atoll: { GREETING: 'from the example', KEPT: 'k e p t' },
  brine: {},
  cove: { SEATS: '9', VAULT_KEY: placeholder },
};

/** Installed by hand at the beginning, and not started. */
export const placed = ['atoll', 'brine'];

/** The model and the real box. App names differ between series. No command starts after `end`. */
export type ModelSession = {
  box: BoxContext;
  model: BoxModel;
  nameOf: (label: string) => string;
  end: number;
};

export const labels = [...Object.keys(examples), 'nobody'];

export const imageOf = (name: string, release: number) => `registry.example/${name}:${release}`;
export const versionOf = (release: number) => `${release}.0.0`;

/** The app without an example reads a single value. The others read the whole file. */
function composeOf(name: string, release: number, example: Values): string {
  const source =
    Object.keys(example).length > 0
      ? '    env_file: .env\n'
      : '    environment:\n      GREETING: $' + '{GREETING-none}\n';
  return `services:\n  web:\n    image: ${imageOf(name, release)}\n    restart: unless-stopped\n${source}`;
}

/** Values that need no quotes, so that all readers of `.env` agree. */
export const written = (values: Values) =>
  Object.entries(values)
    .map(([key, value]) => `${key}=${value}\n`)
    .join('');

/** The files of an app's newest release. */
function filesOf({ model, nameOf }: ModelSession, label: string): AppFiles | null {
  const bundled = model.bundled[label];
  if (bundled === undefined) return null;
  const { example, release } = bundled;
  const name = nameOf(label);
  return {
    name,
    manifest: manifest(name, { version: versionOf(release), settings: allSettings }),
    compose: composeOf(name, release, example),
    ...(Object.keys(example).length > 0 ? { envExample: written(example) } : {}),
  };
}

export function bundle(session: ModelSession, label: string) {
  const files = filesOf(session, label);
  if (files !== null) session.box.environment.bundle(files);
}

export function place(session: ModelSession, label: string) {
  const files = filesOf(session, label);
  if (files !== null) session.box.environment.placeInstalled({ ...files, env: written(examples[label] ?? {}) });
}
