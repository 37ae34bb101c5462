import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** An app directory. Only the given files are written, so a test can also make a broken app. */
export type AppFiles = {
  name: string;
  /** Objects are written as JSON, strings unchanged; `null` leaves the file out. */
  manifest?: Record<string, unknown> | string | null;
  /** `null` leaves the file out; by default the app has one service. */
  compose?: string | null;
  composeFile?: string;
  envExample?: string | Buffer;
  env?: string | Buffer;
  icon?: string | Buffer;
  files?: Record<string, string | Buffer>;
};

/** Writes the app directory below `parent` and returns its path. */
export function writeApp(parent: string, app: AppFiles): string {
  const folder = join(parent, app.name);
  mkdirSync(folder, { recursive: true });
  const manifest = app.manifest === undefined ? plainManifest(app) : app.manifest;
  const compose = app.compose === undefined ? plainCompose(app.name, app) : app.compose;
  const files: Record<string, string | Buffer | null | undefined> = {
    'manifest.json': typeof manifest === 'object' && manifest !== null ? JSON.stringify(manifest) : manifest,
    [app.composeFile ?? 'compose.yaml']: compose,
    '.env.example': app.envExample,
    '.env': app.env,
    'icon.svg': app.icon,
    ...app.files,
  };
  for (const [name, content] of Object.entries(files)) {
    if (content === null || content === undefined) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

function plainManifest(app: AppFiles): Record<string, unknown> {
  return {
    name: app.name,
    display_name: `The ${app.name}`,
    version: '1.2.3',
    description: `About ${app.name}`,
    description_long: `All about ${app.name}`,
    ports: [],
    icon: app.icon === undefined ? '' : 'icon.svg',
    settings: [],
  };
}

/** An image name that a registry accepts. */
const imagePath = /^[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*$/;

/** One service, `web`. It loads the whole `.env` if the app has one. */
export function plainCompose(name: string, app: Pick<AppFiles, 'envExample' | 'env'> = {}): string {
  const hasEnv = app.envExample !== undefined || app.env !== undefined;
  return [
    'services:',
    '  web:',
    `    image: registry.example/${imagePath.test(name) ? name : 'odd-name'}:1.4`,
    '    restart: unless-stopped',
    ...(hasEnv ? ['    env_file: .env'] : []),
    '',
  ].join('\n');
}
