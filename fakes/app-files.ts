import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** An app as a directory: only what is given is written, so that broken ones can be made too. */
export type AppFiles = {
  name: string;
  /** The manifest: a value is written as JSON, text as it is, null leaves the file out. */
  manifest?: Record<string, unknown> | string | null;
  /** The Compose file's text; null leaves it out, the default is one service of this app. */
  compose?: string | null;
  composeFile?: string;
  envExample?: string | Buffer;
  env?: string | Buffer;
  icon?: string | Buffer;
  files?: Record<string, string | Buffer>;
};

/** Writes the app's directory below `parent`; its path. */
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
    description: `What ${app.name} is`,
    description_long: `What ${app.name} is, at length`,
    ports: [],
    icon: app.icon === undefined ? '' : 'icon.svg',
    settings: [],
  };
}

/** Form of an image's name that a registry accepts. */
const imagePath = /^[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*$/;

/** One service, `web`, that gets the app's `.env` whole where the app has one. */
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
