// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { readDotenv } from '../../../rules/dotenv/dotenv.ts';
import { placeholderKeys } from '../../../rules/dotenv/placeholder.ts';
import { parseManifest } from '../../../rules/manifest/manifest.ts';
import type { Translation } from '../../../rules/translate/translation.ts';
import { translateRuntipi } from './runtipi.ts';

type Fields = Record<string, unknown>;

const config = { id: 'notes', name: 'Notes', port: 8180, version: '1.2.3', tipi_version: 7, available: true };

function translate(about: unknown, compose: unknown, files: Record<string, string> = {}): Promise<Translation> {
  const text = typeof compose === 'string' ? compose : JSON.stringify(compose);
  return translateRuntipi(
    'notes',
    new Map(Object.entries({ 'config.json': JSON.stringify(about), 'docker-compose.json': text, ...files })),
  );
}

/** An app whose main service has `fields`. */
const appWith = (fields: Fields, about: Fields = {}) =>
  translate({ ...config, ...about }, { services: [{ name: 'web', image: 'notes:1', isMain: true, ...fields }] });

const withField = (field: Fields) => appWith({}, { form_fields: [field] });

function takenFrom(translation: Translation) {
  if (!translation.taken) assert.fail(translation.reason);
  const { files } = translation;
  const manifest = JSON.parse(files['manifest.json']);
  const settings = new Map<string, Fields>(manifest.settings.map((one: Fields) => [one.name, one]));
  const compose = parse(files['compose.yaml']);
  return { ...translation, manifest, settings, compose, web: compose.services.web };
}

const reasonOf = (translation: Translation) => (translation.taken ? assert.fail('it was taken') : translation.reason);

const bind = { create_host_path: true };

test('a whole app of Runtipi becomes the files of an app', async () => {
  const about = {
    ...config,
    short_desc: 'Short notes',
    description: 'Longer words.',
    categories: ['featured', 'utilities'],
    form_fields: [
      { type: 'text', label: 'User', required: true, env_variable: 'NOTES_USER' },
      { type: 'random', label: 'Database password', min: 40, env_variable: 'NOTES_DB_PASSWORD' },
    ],
    supported_architectures: ['arm64', 'amd64'],
    url_suffix: '/',
  };
  const services = [
    {
      name: 'web',
      image: 'notes:1.2.3',
      isMain: true,
      internalPort: 80,
      addToMainNetwork: true,
      environment: [
        { key: 'NOTES_URL', value: '${APP_PROTOCOL:-http}://${APP_DOMAIN}' },
        { key: 'NOTES_PASSWORD', value: '${NOTES_DB_PASSWORD}' },
        { key: 'NOTES_USER', value: '$NOTES_USER' },
        { key: 'NOTES_EMPTY' },
      ],
      addPorts: [
        { hostPort: 53, containerPort: 53, interface: '${ADDRESS:-0.0.0.0}', tcp: true, udp: true },
        { hostPort: 222, containerPort: '22' },
      ],
      dependsOn: { db: { condition: 'service_healthy' } },
      volumes: [
        { hostPath: '${APP_DATA_DIR}/data/web', containerPath: '/data' },
        { hostPath: '${ROOT_FOLDER_HOST}/media/data/books/', containerPath: '/books', readOnly: true },
        { hostPath: '/etc/localtime', containerPath: '/etc/localtime', shared: true },
      ],
      capAdd: ['NET_ADMIN'],
      stopGracePeriod: '1m',
      extraLabels: { 'traefik.enable': true },
    },
    {
      name: 'db',
      image: 'postgres:17',
      environment: { POSTGRES_PASSWORD: '${NOTES_DB_PASSWORD}', TZ: '${TZ}' },
      volumes: [{ hostPath: '${APP_DATA_DIR}/', containerPath: '/all', private: true }],
      healthCheck: { test: 'pg_isready -U $${USER}', startPeriod: '20s', retries: 5 },
      deploy: { resources: { reservations: { devices: [{ deviceIds: ['0'], capabilities: ['gpu'] }] } } },
    },
  ];
  const compose = { schemaVersion: 2, services };
  const files = { 'metadata/description.md': '# Notes', 'data/.gitkeep': '', 'data/start.sql': 'SELECT 1' };
  const first = await translate(about, compose, files);
  assert.deepEqual(await translate(about, compose, files), first, 'the same input makes the same text');
  const taken = takenFrom(first);
  assert.deepEqual(taken.compose, {
    services: {
      web: {
        restart: 'unless-stopped',
        image: 'notes:1.2.3',
        depends_on: { db: { condition: 'service_healthy' } },
        cap_add: ['NET_ADMIN'],
        stop_grace_period: '1m',
        environment: {
          NOTES_URL: '${APP_PROTOCOL:-http}://${APP_DOMAIN}',
          NOTES_PASSWORD: '${NOTES_DB_PASSWORD}',
          NOTES_USER: '${NOTES_USER}',
          NOTES_EMPTY: '',
        },
        ports: [
          '${APP_PORT:-8180}:80',
          '${ADDRESS:-0.0.0.0}:${PORT_53:-53}:53',
          '${ADDRESS:-0.0.0.0}:${PORT_53:-53}:53/udp',
          '${PORT_222:-222}:22',
        ],
        volumes: [
          { type: 'bind', source: './app-data/data/web', target: '/data', bind },
          {
            type: 'bind',
            source: '${FOLDER_MEDIA_DATA_BOOKS:-./folders/media/data/books}',
            target: '/books',
            read_only: true,
            bind,
          },
          { type: 'bind', source: '/etc/localtime', target: '/etc/localtime', bind: { selinux: 'z', ...bind } },
        ],
      },
      db: {
        restart: 'unless-stopped',
        image: 'postgres:17',
        healthcheck: { test: 'pg_isready -U $${USER}', start_period: '20s', retries: 5 },
        deploy: { resources: { reservations: { devices: [{ device_ids: ['0'], capabilities: ['gpu'] }] } } },
        environment: { POSTGRES_PASSWORD: '${NOTES_DB_PASSWORD}', TZ: '${TZ}' },
        volumes: [{ type: 'bind', source: './app-data', target: '/all', bind: { selinux: 'Z', ...bind } }],
      },
    },
  });
  assert.deepEqual(taken.notes, [
    'Labels of service web were left out: traefik.enable.',
    'Service web asks for powers over this machine: cap_add: NET_ADMIN.',
    'Service web mounts paths of this machine: /etc/localtime.',
    'Service db uses devices of this machine, and does not start without one of them: GPU.',
    'The form does not ask for these variables, which have a preset: ADDRESS.',
  ]);
  assert.deepEqual(first.taken && first.folders, ['app-data/data/web', 'folders/media/data/books', 'app-data']);
  const { settings, manifest } = taken;
  assert.deepEqual(
    { ...manifest, settings: [...settings.keys()] },
    {
      name: 'notes',
      version: '1.2.3-r7.2',
      display_name: 'Notes',
      description: 'Short notes',
      description_long: 'Longer words.',
      ports: [{ port: 8180, protocol: 'http', label: 'Web page' }],
      category: 'Utilities',
      icon: '',
      settings: [
        ...['NOTES_USER', 'APP_DOMAIN', 'APP_PORT', 'FOLDER_MEDIA_DATA_BOOKS'],
        ...['NOTES_DB_PASSWORD', 'APP_PROTOCOL', 'PORT_53', 'PORT_222', 'TZ'],
      ],
    },
  );
  assert.deepEqual(settings.get('NOTES_DB_PASSWORD'), {
    name: 'NOTES_DB_PASSWORD',
    label: 'Database password',
    description: '',
    type: 'password',
    required: false,
    default: null,
    generate: { length: 40, encoding: 'hex' },
    advanced: true,
  });
});

test('a secret that the box makes begins with a placeholder', async () => {
  const fields = [
    { type: 'random', label: 'A', env_variable: 'A_KEY' },
    { type: 'password', label: 'B', required: true, env_variable: 'B_PASSWORD' },
    { type: 'password', label: 'C', env_variable: 'C_PASSWORD' },
  ];
  const { files } = takenFrom(await appWith({}, { form_fields: fields }));
  const read = parseManifest(Buffer.from(files['manifest.json']), 'notes');
  if (!read.ok) assert.fail(read.error);
  const env = readDotenv(files['.env.example']);
  assert.deepEqual(placeholderKeys(env, read.manifest.settings), ['B_PASSWORD', 'A_KEY']);
  assert.equal(env.get('C_PASSWORD'), '');
});

const fields: [field: Fields, setting: Fields][] = [
  [{ type: 'text' }, { type: 'text', label: 'X', description: '' }],
  [{ type: 'text', label: 'Name', hint: 'Your name', placeholder: 'Ann' }, { description: 'Your name. Such as Ann.' }],
  [{ type: 'text', hint: 'Why?', regex: '\\d+', pattern_error: 'Digits only' }, { description: 'Why? Digits only' }],
  [{ type: 'text', regex: '\\d+' }, { description: 'It has to match \\d+' }],
  [{ type: 'password', min: 3, max: 50 }, { description: 'At least 3 characters, at most 50 characters.' }],
  [
    { type: 'number', max: 9, default: 5 },
    { type: 'number', description: 'At most 9.', default: '5' },
  ],
  [
    { type: 'number', min: 'x' },
    { type: 'number', description: '', default: null },
  ],
  [{ type: 'boolean' }, { type: 'boolean', default: 'false', options: ['true', 'false'] }],
  [
    { type: 'boolean', default: true },
    { type: 'boolean', default: 'true' },
  ],
  [{ type: 'email' }, { type: 'text', description: 'An e-mail address.' }],
  [{ type: 'url' }, { type: 'text', description: 'An address that begins with http:// or https://.' }],
  [{ type: 'ip' }, { type: 'text', description: 'An IP address.' }],
  [{ type: 'fqdn' }, { type: 'text', description: 'A domain name.' }],
  [
    { type: 'fqdnip', required: true },
    { type: 'text', description: 'A domain name or an IP address.', required: true },
  ],
  [
    { type: 'random', required: true },
    { required: false, generate: { length: 32, encoding: 'hex' } },
  ],
  [{ type: 'random', min: 0, encoding: 'base64' }, { generate: { length: 32, encoding: 'base64' } }],
  [{ type: 'random', min: 1e9 }, { generate: { length: 64, encoding: 'hex' } }],
  [
    {
      type: 'text',
      options: [
        { label: 'Yes', value: '1' },
        { label: 'no', value: 'no' },
      ],
    },
    { type: 'select', options: ['1', 'no'], description: '1: Yes.' },
  ],
  [{ type: 'text', default: '' }, { default: null }],
  [{ type: 'text', default: [1] }, { default: null }],
];

for (const [field, expected] of fields) {
  test(`a form field ${JSON.stringify(field)}`, async () => {
    const { settings } = takenFrom(await withField({ env_variable: 'X', ...field }));
    const setting = settings.get('X') ?? {};
    const found = Object.fromEntries(Object.keys(expected).map((key) => [key, setting[key]]));
    assert.deepEqual(found, expected);
  });
}

const noFiles = (files: Record<string, string>) => translateRuntipi('notes', new Map(Object.entries(files)));
const mounting = (hostPath: string) => appWith({ volumes: [{ hostPath, containerPath: '/x' }] });
const asYaml = (text: string) => noFiles({ 'config.json': JSON.stringify(config), 'docker-compose.yml': text });

const leftOut: [what: string, translation: () => Promise<Translation>, reason: RegExp][] = [
  ['no config.json', () => noFiles({}), /its folder "notes" has no config.json/],
  ['no JSON', () => noFiles({ 'config.json': '{' }), /its config.json is no JSON/],
  ['deep JSON', () => noFiles({ 'config.json': '['.repeat(101) }), /its config.json is no JSON, or is nested too deep/],
  ['a list', () => noFiles({ 'config.json': '[]' }), /has neither docker-compose.json nor docker-compose.yml/],
  ['a name that leads out', () => appWith({}, { id: '..' }), /".." is no name for a directory of an app/],
  ['an app that is away', () => appWith({}, { available: false }), /its store does not offer it at present/],
  ['no services', () => noFiles({ 'config.json': JSON.stringify(config) }), /its folder has neither/],
  ['services that are no JSON', () => translate(config, '['), /its docker-compose.json is no JSON/],
  ['an unknown form', () => translate(config, { schemaVersion: 3, services: [] }), /has the unknown form "3"/],
  ['an older YAML form', () => asYaml('services: {}'), /older form, without x-runtipi/],
  ['include', () => asYaml('include: [a]\nx-runtipi: {}'), /its Compose file has include/],
  ['a service without a name', () => appWith({ name: 7 }), /one of its services has no name/],
  [
    'two services of one name',
    () => translate(config, { services: [1, 2].map(() => ({ name: 'a', image: 'b' })) }),
    /it has two services with the name a/,
  ],
  ['a service named by a path', () => appWith({ name: '../a' }), /refuses the name of its service "..\/a"/],
  [
    'an unknown type of a field',
    () => withField({ env_variable: 'X', type: 'file' }),
    /"X" has the unknown type "file"/,
  ],
  ['an odd name of a field', () => withField({ env_variable: 'a b', type: 'text' }), /its setting "a b" has no valid/],
  [
    "Compose's own variable",
    () => withField({ env_variable: 'COMPOSE_PROJECT_NAME', type: 'text' }),
    /uses the variable COMPOSE_PROJECT_NAME, which/,
  ],
  [
    'a field for what the store fills in',
    () => withField({ env_variable: 'APP_DATA_DIR', type: 'text' }),
    /its form asks for APP_DATA_DIR/,
  ],
  [
    'a name twice',
    () => appWith({}, { form_fields: [1, 2].map(() => ({ env_variable: 'X', type: 'text' })) }),
    /it has two settings with the name X/,
  ],
  [
    'a variable without a name',
    () => appWith({ environment: [{ value: 1 }] }),
    /a variable of a container has no name/,
  ],
  ['a port with odd members', () => appWith({ addPorts: [{ hostPort: 1, range: 2 }] }), /the unknown member "range"/],
  ["another app's folder", () => mounting('${APP_DATA_DIR}/../other'), /it mounts a folder outside of its own/],
  ['the same in a preset', () => mounting('${X:-${APP_DATA_DIR}/..}'), /it mounts a folder outside of its own/],
  ["Runtipi's own files", () => mounting('${ROOT_FOLDER_HOST}/state'), /a folder of Runtipi itself: \/state/],
  ["Runtipi's whole folder", () => mounting('$ROOT_FOLDER_HOST'), /a folder of Runtipi itself: \/$/],
  ['a file of the store', () => mounting('./nginx'), /which comes from neither the app's folder nor this machine/],
  ['its folder outside of a mount', () => appWith({ command: '$APP_DATA_DIR/x' }), /it uses APP_DATA_DIR, a path of/],
];

for (const [what, translation, reason] of leftOut) {
  test(`an app is left out because of ${what}`, async () => {
    assert.match(reasonOf(await translation()), reason);
  });
}

const noted: [what: string, about: Fields, note: string][] = [
  ['one architecture', { supported_architectures: ['amd64'] }, 'The store says that it runs on amd64 only.'],
  ['a deprecated app', { deprecated: true }, 'The store calls it deprecated.'],
  ['a public name', { force_expose: true }, 'The store says that it works at a public name with HTTPS only.'],
  ['VAPID keys', { generate_vapid_keys: true }, 'Runtipi makes a pair of VAPID keys for it; here you make them.'],
  ['a path of its page', { url_suffix: '/admin' }, 'Its page is at /admin of its address.'],
];

for (const [what, about, note] of noted) {
  test(`a note is made of ${what}`, async () => {
    assert.deepEqual(takenFrom(await appWith({}, about)).notes, [note]);
  });
}

test('unknown members are named and left out', async () => {
  const { notes, web } = takenFrom(
    await appWith({ useApiSocket: true, volumes: [{ hostPath: '/a', containerPath: '/b', nocopy: 1 }] }),
  );
  assert.deepEqual(notes, [
    'use_api_socket of service web is not known here and was left out.',
    'nocopy of a mount of service web is not known here and was left out.',
    'Service web mounts paths of this machine: /a.',
  ]);
  assert.deepEqual(Object.keys(web), ['restart', 'image', 'volumes']);
});

test("a service on the machine's network publishes nothing", async () => {
  const { web, manifest } = takenFrom(
    await appWith({ networkMode: 'host', internalPort: 80, environment: { PORT: '$APP_PORT', A: null } }),
  );
  assert.equal(web.ports, undefined);
  assert.deepEqual(web.environment, { PORT: '${APP_PORT}', A: '${A}' });
  assert.deepEqual(manifest.ports, [{ port: 8180, protocol: 'http', label: 'Web page' }]);
});

const pages: [about: Fields, ports: unknown, published: unknown][] = [
  [{ https: true }, [{ port: 8180, protocol: 'https', label: 'Web page' }], ['${APP_PORT:-8180}:80']],
  [{ no_gui: true }, [], ['${APP_PORT:-8180}:80']],
  [{ port: undefined }, [], undefined],
  [{ port: 70_000 }, [], undefined],
];

for (const [about, ports, published] of pages) {
  test(`the page of an app with ${JSON.stringify(about)}`, async () => {
    const { manifest, web } = takenFrom(await appWith({ internalPort: 80 }, about));
    assert.deepEqual([manifest.ports, web.ports], [ports, published]);
  });
}

test('the port inside may be the port that the owner chooses', async () => {
  const { web } = takenFrom(await appWith({ internalPort: '${APP_PORT}' }));
  assert.deepEqual(web.ports, ['${APP_PORT:-8180}:${APP_PORT}']);
  const other = takenFrom(await appWith({ command: '$APP_PORT' }, { port: null }));
  assert.deepEqual([other.settings.get('APP_PORT')?.required, other.web.ports], [true, undefined]);
});

test('a page without a port is noted, and ports in the words of Compose are taken', async () => {
  const { notes, web } = takenFrom(await appWith({ internalPort: 80, ports: ['22:22'] }, { port: 0 }));
  assert.deepEqual(notes, ['The store names no port for its page, so the page is not published.']);
  assert.deepEqual(web.ports, ['${PORT_22:-22}:22']);
});

test('a blank answer counts as none where the store has a preset', async () => {
  const fields = [{ env_variable: 'INSIDE', type: 'number' }];
  const { web } = takenFrom(await appWith({ internalPort: '${INSIDE-8080}' }, { form_fields: fields }));
  assert.deepEqual(web.ports, ['${APP_PORT:-8180}:${INSIDE:-8080}']);
});

test('services of other architectures are named', async () => {
  const compose = { services: [{ name: 'a', image: 'b' }], overrides: [{ architecture: 'arm64' }] };
  const { notes } = takenFrom(await translate(config, compose));
  assert.deepEqual(notes, ['The store has other services for arm64, which were left out.']);
});

const categories: [categories: unknown, text: string | undefined][] = [
  [['ai'], 'AI'],
  [['featured'], undefined],
  [[], undefined],
  [[7, 'media'], 'Media'],
];

for (const [given, text] of categories) {
  test(`the category of ${JSON.stringify(given)}`, async () => {
    const { files } = takenFrom(await appWith({}, { categories: given }));
    const read = parseManifest(Buffer.from(files['manifest.json']), 'notes');
    assert.equal(read.ok && read.manifest.category, text);
  });
}

test('a note is made of files that Runtipi fills in', async () => {
  const files = { 'data/app.conf.template': '{{NAME}}', 'data/plain.conf': '' };
  const compose = { services: [{ name: 'web', image: 'notes', isMain: true, internalPort: 80 }] };
  assert.deepEqual(takenFrom(await translate({ id: 'notes', port: 8180 }, compose, files)).notes, [
    'Runtipi fills in files for it, which you make here, without .template at the end: data/app.conf.template.',
  ]);
});

test('services in YAML with x-runtipi', async () => {
  const { compose, notes, manifest } = takenFrom(
    await asYaml(`
services:
  web:
    image: notes:1
    environment: [PORT=80]
    ports: ["222:22"]
    volumes: ["\${APP_DATA_DIR}/data:/data", "files:/files"]
    networks: [back]
    x-runtipi: {is_main: true, internal_port: 80}
  db: {image: postgres:17, restart: always, networks: [back]}
volumes: {files: null}
networks: {back: null}
x-runtipi: {schema_version: 2, overrides: [{architecture: arm64}]}
`),
  );
  assert.deepEqual(compose, {
    services: {
      web: {
        restart: 'unless-stopped',
        image: 'notes:1',
        environment: { PORT: '80' },
        ports: ['${APP_PORT:-8180}:80', '${PORT_222:-222}:22'],
        volumes: [
          { type: 'bind', source: './app-data/data', target: '/data', bind },
          { type: 'volume', source: 'files', target: '/files' },
        ],
        networks: { back: null },
      },
      db: { restart: 'always', image: 'postgres:17', networks: { back: null } },
    },
    networks: { back: {} },
    volumes: { files: {} },
  });
  assert.deepEqual(notes, ['The store has other services for arm64, which were left out.']);
  assert.equal(manifest.version, '1.2.3-r7.2');
});

test('the version of the store may be missing', async () => {
  const { manifest } = takenFrom(await appWith({}, { id: undefined, version: undefined, tipi_version: -1 }));
  assert.deepEqual([manifest.name, manifest.version], ['notes', '0-r0.2']);
});
