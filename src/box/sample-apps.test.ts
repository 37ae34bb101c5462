// Rules that every app that ships with the box obeys, checked on its files.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { readDotenv } from './rules/dotenv/dotenv.ts';
import { placeholderKeys } from './rules/dotenv/placeholder.ts';
import { projectOfDirectory } from './rules/manifest/app-name.ts';
import { inlineIcon } from './rules/manifest/icon.ts';
import { type Manifest, parseManifest } from './rules/manifest/manifest.ts';

type Service = { image?: string; ports?: string[]; restart?: string } & Record<string, unknown>;
type ComposeFile = { services: Record<string, Service> };
type SampleApp = { name: string; manifest: Manifest; composeText: string; env: Map<string, string> };

const folder = new URL('./sample-apps/', import.meta.url);
const names = readdirSync(folder).sort();
const portsOfTheBox = ['80', '443', '7000', '8080'];
const matchesSchema = new Ajv().compile(readJson(new URL('../../spec/manifest.schema.json', import.meta.url)));

test('there are at least eight sample apps', () => {
  assert.ok(names.length >= 8);
});

for (const name of names) {
  test(`${name} holds exactly the files of an app, under a name that Compose accepts`, () => {
    assert.equal(projectOfDirectory(name), name, 'its project has its name');
    const files = readdirSync(new URL(`${name}/`, folder)).sort();
    assert.deepEqual(files, ['.env.example', 'compose.yaml', 'icon.svg', 'manifest.json']);
  });

  test(`${name} has a manifest that the published schema and the server both accept`, () => {
    assert.ok(matchesSchema(readJson(fileOf(name, 'manifest.json'))), JSON.stringify(matchesSchema.errors));
    const { manifest } = readApp(name);
    assert.equal(manifest.name, name);
    for (const text of [manifest.display_name, manifest.description, manifest.description_long]) {
      assert.notEqual(text, '');
    }
  });

  test(`${name} has an icon that the box shows`, () => {
    assert.equal(readApp(name).manifest.icon, 'icon.svg');
    assert.ok(inlineIcon(readFileSync(fileOf(name, 'icon.svg')))?.startsWith('<svg'));
  });

  test(`${name} names each image by an exact version and brings it back after a restart of the box`, () => {
    for (const service of servicesOf(name)) {
      assert.match(service.image ?? '', /^[a-z0-9./-]+:v?[0-9]+\.[0-9]+(\.[0-9]+)?(-[a-z0-9.]+)?$/);
      assert.equal(service.restart, 'unless-stopped');
    }
  });

  test(`${name} needs no power over the box`, () => {
    const powers = ['privileged', 'network_mode', 'pid', 'ipc', 'devices', 'cap_add', 'userns_mode'];
    for (const service of servicesOf(name)) {
      assert.deepEqual(
        Object.keys(service).filter((key) => powers.includes(key)),
        [],
      );
    }
    assert.doesNotMatch(readApp(name).composeText, /docker\.sock/);
  });

  test(`${name} publishes ports that its settings can change and that the box leaves free`, () => {
    for (const port of servicesOf(name).flatMap((service) => service.ports ?? [])) {
      assert.match(port, /^(\$\{\w+:-[0-9.]+\}:)?\$\{\w+:-[0-9]+\}:[0-9]+(\/(tcp|udp))?$/);
      assert.ok(!portsOfTheBox.includes(hostPort(port)), port);
    }
  });

  test(`${name} publishes the ports that its manifest declares`, () => {
    const published = servicesOf(name).flatMap((service) => (service.ports ?? []).map(hostPort));
    for (const declared of readApp(name).manifest.ports) {
      const port = typeof declared === 'number' ? declared : declared.port;
      assert.ok(published.includes(String(port)), `${port}`);
    }
  });

  test(`${name} uses every setting in its Compose file and documents each in .env.example`, () => {
    const { manifest, composeText, env } = readApp(name);
    const settings = manifest.settings.map((setting) => setting.name);
    assert.deepEqual([...env.keys()], settings);
    for (const setting of settings) assert.match(composeText, new RegExp(`\\$\\{${setting}[:}]`));
  });

  test(`${name} reads no variable that is neither in .env.example nor has a default`, () => {
    const { composeText, env } = readApp(name);
    for (const [, variable = '', fallback] of composeText.matchAll(/\$\{(\w+)(:-)?/g)) {
      assert.ok(fallback !== undefined || env.has(variable), variable);
    }
  });

  test(`${name} starts from the defaults of its manifest, and with a placeholder for each secret`, () => {
    const { manifest, env } = readApp(name);
    const secrets = manifest.settings.filter((setting) => setting.type === 'password');
    assert.deepEqual(
      placeholderKeys(env, manifest.settings),
      secrets.map((secret) => secret.name),
    );
    for (const setting of manifest.settings.filter((each) => each.type !== 'password')) {
      assert.equal(env.get(setting.name), setting.default);
    }
  });

  test(`${name} gives its settings known types and a label and help for each`, () => {
    for (const setting of readApp(name).manifest.settings) {
      assert.ok(['password', 'number', 'text'].includes(setting.type));
      assert.notEqual(setting.label, '');
      assert.notEqual(setting.description, '');
      if (setting.type === 'password') assert.equal(setting.required, true);
    }
  });
}

test('no two sample apps publish the same port', () => {
  const ports = names.flatMap((name) =>
    servicesOf(name).flatMap((service) =>
      (service.ports ?? []).map((port) => `${hostPort(port)}/${port.endsWith('/udp') ? 'udp' : 'tcp'}`),
    ),
  );
  assert.deepEqual(ports, [...new Set(ports)]);
});

function fileOf(name: string, file: string): URL {
  return new URL(`${name}/${file}`, folder);
}

function readJson(file: URL): object {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function readApp(name: string): SampleApp {
  const read = parseManifest(readFileSync(fileOf(name, 'manifest.json')), name);
  if (!read.ok) assert.fail(read.error);
  const composeText = readFileSync(fileOf(name, 'compose.yaml'), 'utf8');
  const env = readDotenv(readFileSync(fileOf(name, '.env.example'), 'utf8'));
  return { name, manifest: read.manifest, composeText, env };
}

function servicesOf(name: string): Service[] {
  const file: ComposeFile = parse(readApp(name).composeText);
  return Object.values(file.services);
}

/** The default of the published port, such as `8053` of `${PIHOLE_WEB_PORT:-8053}:80/tcp`. */
function hostPort(published: string): string {
  return /:-([0-9]+)\}:[0-9]+(?:\/\w+)?$/.exec(published)?.[1] ?? '';
}
