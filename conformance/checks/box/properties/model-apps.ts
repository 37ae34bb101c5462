import type { AppFiles } from '../../../../fakes/app-files.ts';
import { allSettings, manifest } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { type BoxModel, placeholder, type Values } from './box-model.ts';

/** One app with an example, one without, and one that has to be given its key. */
export const examples: Readonly<Record<string, Values>> = {
  atoll: { GREETING: 'from the example', KEPT: 'k e p t' },
  brine: {},
  cove: { SEATS: '9', VAULT_KEY: placeholder },
};

/** They stand installed from the beginning, not started. */
export const placed = ['atoll', 'brine'];

/** What stands for the model's labels: names that no other series of commands has. After `end` no command is given. */
export type Driven = { box: BoxContext; model: BoxModel; nameOf: (label: string) => string; end: number };

export const labels = [...Object.keys(examples), 'nobody'];

export const imageOf = (name: string, release: number) => `registry.example/${name}:${release}`;
export const versionOf = (release: number) => `${release}.0.0`;

/** The app without an example reads one value on its own; the others take the whole file. */
function composeOf(name: string, release: number, example: Values): string {
  const source =
    Object.keys(example).length > 0
      ? '    env_file: .env\n'
      : '    environment:\n      GREETING: $' + '{GREETING-none}\n';
  return `services:\n  web:\n    image: ${imageOf(name, release)}\n    restart: unless-stopped\n${source}`;
}

/** No value needs quotes, so that all readers of `.env` agree on it. */
export const written = (values: Values) =>
  Object.entries(values)
    .map(([key, value]) => `${key}=${value}\n`)
    .join('');

/** The newest release of an app, as a directory. */
function filesOf({ model, nameOf }: Driven, label: string): AppFiles | null {
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

export function bundle(driven: Driven, label: string) {
  const files = filesOf(driven, label);
  if (files !== null) driven.box.environment.bundle(files);
}

export function place(driven: Driven, label: string) {
  const files = filesOf(driven, label);
  if (files !== null)
    driven.box.environment.placeInstalled({ ...files, env: written(examples[label] ?? {}) });
}
