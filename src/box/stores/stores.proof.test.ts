// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
/**
 * Translates the stores in the folder BOXGATE_STORES, one folder each, and lets the Compose plugin BOXGATE_COMPOSE read
 * the results. Each part is skipped without its variable. Verifies also that a translation takes linear time.
 */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { growth, mostGrowth } from '../../lib/testing/growth.ts';
import { temporaryFolder } from '../../lib/testing/temporary-folder.ts';
import { parseManifest } from '../rules/manifest/manifest.ts';
import type { AppFiles, StoreFiles } from '../rules/translate/translation.ts';
import { translateCasaos } from './rules/translate/casaos.ts';
import { translateRuntipi } from './rules/translate/runtipi.ts';
import { translatorOf } from './rules/translate/translators.ts';

const { BOXGATE_STORES: stores, BOXGATE_COMPOSE: compose } = process.env;

test('the stores are translated', { skip: stores === undefined && 'BOXGATE_STORES is not set' }, async (t) => {
  const folders = readdirSync(stores as string, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  assert.ok(folders.length > 0);
  for (const { name } of folders) await t.test(name, (one) => translateStore(one, join(stores as string, name)));
});

async function translateStore(t: TestContext, store: string): Promise<void> {
  const files = textsBelow(store);
  const translator = translatorOf(files.keys()) ?? assert.fail('its form is unknown');
  const names = new Set<string>();
  for (const [folder, ofApp] of Map.groupBy(files, ([path]) => path.split('/').slice(0, 2).join('/'))) {
    const [top, app] = folder.split('/');
    if (top !== translator.folder || app === undefined) continue;
    const texts = new Map(ofApp.map(([path, text]) => [path.slice(folder.length + 1), text]));
    const translation = await translator.translate(app, texts);
    if (!translation.taken) {
      t.diagnostic(`${app}: left out because ${translation.reason}`);
      continue;
    }
    const { name, notes } = translation;
    t.diagnostic([`${app}: taken as ${name}`, ...notes].join(' | '));
    assert.ok(!names.has(name), `two apps have the name ${name}`);
    names.add(name);
    const read = parseManifest(Buffer.from(translation.files['manifest.json']), name);
    assert.ok(read.ok, read.ok ? '' : read.error);
    if (compose !== undefined) assert.equal(readByCompose(compose, translation.files), '', name);
  }
  assert.ok(names.size > 0, 'no app was taken');
}

function textsBelow(folder: string): StoreFiles {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  const texts = paths.filter((path) => !/\.(?:jpe?g|png|webp|gif)$/.test(path)).toSorted();
  return new Map(texts.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]));
}

/** What Compose says of the app; empty if it accepts it without a warning. */
function readByCompose(plugin: string, files: AppFiles): string {
  const folder = join(temporaryFolder(), 'app');
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, '.env'), files['.env.example']);
  const env = { PATH: process.env.PATH ?? '', HOME: folder };
  const { status, stderr } = spawnSync(plugin, ['config', '-q'], { cwd: folder, env, encoding: 'utf8' });
  return status === 0 ? stderr : `status ${status}: ${stderr}`;
}

const counted = (size: number, one: (index: number) => string) =>
  Array.from({ length: Math.ceil(size / one(1000).length) }, (_, index) => one(index)).join('');
const service = 'name: notes\nservices:\n  web:\n    image: notes\n';
const json = (text: string) => `{"services":[{"name":"web","image":"notes","isMain":true,${text}}]}`;

const casaosBombs: Record<string, (size: number) => string> = {
  errors: (size) => '"'.repeat(size),
  commas: (size) => `[${','.repeat(size)}`,
  tags: (size) => '!!map '.repeat(size / 6),
  nesting: (size) => '['.repeat(size),
  aliases: (size) => `a: &a x\n${counted(size, (index) => `k${index}: *a\n`)}`,
  services: (size) => `services:\n${counted(size, (index) => `  s${index}: {image: a, container_name: c${index}}\n`)}`,
  variables: (size) => `${service}    environment:\n${counted(size, (index) => `      A_KEY_${index}: x${index}\n`)}`,
  ports: (size) => `${service}    ports:\n${counted(size, (index) => `      - ${index}-${index}:80\n`)}`,
  mounts: (size) => `${service}    volumes:\n${counted(size, (index) => `      - /a${index}:/b\n`)}`,
  slashes: (size) => `${service}    volumes: ["/DATA/AppData/$AppID${'/'.repeat(size)}x:/b"]\n`,
  braces: (size) => `${service}    volumes: ["/a${'${A:-'.repeat(size / 5)}:/b"]\n`,
  dollars: (size) => `${service}    command: "${'$A$'.repeat(size / 3)}"\n`,
  blanks: (size) => `${service}x-casaos:\n  title: "${' \\t'.repeat(size / 3)}x"\n`,
};

const runtipiBombs: Record<string, (size: number) => string> = {
  nesting: (size) => '['.repeat(size),
  slashes: (size) => json(`"volumes":[{"hostPath":"$APP_DATA_DIR${'/'.repeat(size)}x","containerPath":"/x"}]`),
  members: (size) => json(counted(size, (index) => `"member${index}":1,`).slice(0, -1)),
  variables: (size) => json(`"environment":{${counted(size, (index) => `"A_KEY_${index}":"x",`).slice(0, -1)}}`),
  capitals: (size) => json(`"${'A'.repeat(size)}":1`),
};

const bombs: [store: string, translate: (text: string) => unknown, texts: typeof casaosBombs][] = [
  ['casaos', (text) => translateCasaos('notes', new Map([['docker-compose.yml', text]])), casaosBombs],
  [
    'runtipi',
    (text) => {
      const files = { 'config.json': '{"id":"notes","port":80}', 'docker-compose.json': text };
      return translateRuntipi('notes', new Map(Object.entries(files)));
    },
    runtipiBombs,
  ],
];

for (const [store, translate, texts] of bombs) {
  test(`${store}: twice the text takes twice the time`, async () => {
    const slow: string[] = [];
    for (const [bomb, inputOf] of Object.entries(texts)) {
      const found = await growth(translate, inputOf, 64 * 1024);
      if (found > mostGrowth) slow.push(`${bomb}: ${found.toFixed(2)}`);
    }
    assert.deepEqual(slow, []);
  });
}
