// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse, stringify } from 'yaml';
import { readDotenv } from '../../../rules/dotenv/dotenv.ts';
import { parseManifest } from '../../../rules/manifest/manifest.ts';
import type { Translation } from '../../../rules/translate/translation.ts';
import { translateCasaos } from './casaos.ts';

type Fields = Record<string, unknown>;

const icon = '<svg xmlns="http://www.w3.org/2000/svg"/>';
const about = { title: { en_US: 'Notes' }, version: '1.2.3', port_map: '8180', category: 'Productivity' };

/** Without anchors for parts that two places share. */
const yamlOf = (document: unknown) => stringify(document, { aliasDuplicateObjects: false });

const translate = (document: unknown, files: Record<string, string> = {}) =>
  translateCasaos('Notes', new Map(Object.entries({ 'docker-compose.yml': yamlOf(document), ...files })));

/** An app with one service, which has `fields`. */
const appWith = (fields: Fields, others: Fields = {}) =>
  translate({ name: 'notes', services: { web: { image: 'notes:1', ...fields } }, 'x-casaos': about, ...others });

function takenFrom(translation: Translation) {
  if (!translation.taken) assert.fail(translation.reason);
  const { files, notes } = translation;
  const manifest = JSON.parse(files['manifest.json']);
  const settings = new Map<string, Fields>(manifest.settings.map((one: Fields) => [one.name, one]));
  const compose = parse(files['compose.yaml']);
  return { ...translation, notes, manifest, settings, compose, web: compose.services.web };
}

const reasonOf = (translation: Translation) => (translation.taken ? assert.fail('it was taken') : translation.reason);

const whole = `
version: "3.7"
name: notes
services:
  web:
    image: notes:1.2.3
    container_name: notes-web
    network_mode: bridge
    privileged: false
    restart: unless-stopped
    labels: {icon: https://example.org/icon.png}
    environment:
      TZ: $TZ
      PUID: $PUID
      PGID: \${PGID}
      FOLDER: /data/$AppID
      GREETING: Good morning
      TOKEN: ""
      PRICE: 5$$
    ports:
      - {target: 80, published: "8180", protocol: tcp}
      - {target: 53, published: 53, protocol: udp}
    volumes:
      - {type: bind, source: /DATA/AppData/$AppID/config, target: /config}
      - {type: bind, source: /DATA/AppData/$AppID, target: /all}
      - {type: bind, source: /DATA/Media/TV Shows, target: /media}
      - /DATA:/everything:ro
      - cache:/cache
    x-casaos:
      envs:
        - {container: GREETING, description: {en_US: What it says}}
        - {container: TOKEN, description: {en_US: ""}}
      ports:
        - {container: "80", description: {de_DE: Oberfläche, en_US: The page.}}
volumes:
  cache: null
x-casaos:
  architectures: [amd64, arm64]
  main: web
  port_map: "8180"
  scheme: https
  index: /admin
  category: Productivity
  version: 1.2.3
  title: {de_DE: Notizen, en_US: Notes}
  tagline: {en_GB: Short notes}
  description: {fr_FR: Des notes}
  tips: {before_install: {en_US: "The password is 1234."}}
`;

test('a whole app of CasaOS becomes the files of an app', async () => {
  const files = new Map([
    ['docker-compose.yml', whole],
    ['icon.svg', icon],
  ]);
  const first = await translateCasaos('Notes', files);
  assert.deepEqual(await translateCasaos('Notes', files), first, 'the same input makes the same text');
  const { name, manifest, compose, notes, files: made, settings } = takenFrom(first);
  assert.equal(name, 'notes');
  assert.deepEqual(notes, ['Its page is at /admin of its address.']);
  assert.deepEqual(compose, {
    services: {
      web: {
        image: 'notes:1.2.3',
        restart: 'unless-stopped',
        environment: {
          TZ: '${TZ}',
          PUID: '${PUID}',
          PGID: '${PGID}',
          FOLDER: '/data/notes',
          GREETING: '${GREETING}',
          TOKEN: '${TOKEN}',
          PRICE: '5$$',
        },
        ports: ['${APP_PORT:-8180}:80', '${PORT_53:-53}:53/udp'],
        volumes: [
          { type: 'bind', source: './data/config', target: '/config', bind: { create_host_path: true } },
          { type: 'bind', source: './data', target: '/all', bind: { create_host_path: true } },
          {
            type: 'bind',
            source: '${FOLDER_MEDIA_TV_SHOWS:-./folders/media/tv-shows}',
            target: '/media',
            bind: { create_host_path: true },
          },
          {
            type: 'bind',
            source: '${FOLDER:-./folders}',
            target: '/everything',
            read_only: true,
            bind: { create_host_path: true },
          },
          { type: 'volume', source: 'cache', target: '/cache' },
        ],
      },
    },
    volumes: { cache: {} },
  });
  assert.deepEqual(
    { ...manifest, settings: [...settings.keys()] },
    {
      name: 'notes',
      version: '1.2.3-r2',
      display_name: 'Notes',
      description: 'Short notes',
      description_long: 'Des notes\n\nThe password is 1234.',
      ports: [{ port: 8180, protocol: 'https', label: 'Web page' }],
      category: 'Productivity',
      icon: 'icon.svg',
      settings: [
        ...['TOKEN', 'APP_PORT', 'FOLDER_MEDIA_TV_SHOWS', 'FOLDER'],
        ...['GREETING', 'TZ', 'PUID', 'PGID', 'PORT_53'],
      ],
    },
  );
  assert.deepEqual(settings.get('TOKEN'), {
    ...{ name: 'TOKEN', label: 'TOKEN', description: '', type: 'password', required: false, default: null },
  });
  assert.deepEqual(settings.get('APP_PORT'), {
    name: 'APP_PORT',
    label: 'Port',
    description: 'The port of this machine that the app answers on. The page.',
    type: 'number',
    required: false,
    default: '8180',
  });
  assert.deepEqual([settings.get('GREETING')?.default, settings.get('GREETING')?.advanced], ['Good morning', true]);
  assert.equal(readDotenv(made['.env.example']).get('GREETING'), 'Good morning');
  assert.equal(readDotenv(made['.env.example']).get('TOKEN'), '');
  assert.equal(made['icon.svg'], icon);
});

test('the manifest is read as it was written', async () => {
  const { files } = takenFrom(await appWith({ environment: { TZ: '$TZ' } }));
  const read = parseManifest(Buffer.from(files['manifest.json']), 'notes');
  if (!read.ok) assert.fail(read.error);
  assert.deepEqual(read.manifest.settings, [
    {
      name: 'TZ',
      label: 'Time zone',
      description: 'Such as Europe/Berlin.',
      type: 'text',
      required: false,
      default: 'Etc/UTC',
      advanced: true,
    },
  ]);
});

test('a device that this machine lacks is left out, and the others stay', async () => {
  const devices = ['/dev/dri:/dev/dri', '/dev/vcsm', { source: '/dev/vchiq' }, '${DEVICE}:/dev/x'];
  const services = {
    web: { image: 'a', devices },
    db: { image: 'a', devices: ['/dev/vcsm'] },
    c: { image: 'a', devices: 1 },
  };
  const files = new Map([['docker-compose.yml', yamlOf({ name: 'notes', services })]]);
  const { compose, notes } = takenFrom(await translateCasaos('Notes', files, (path) => path === '/dev/dri'));
  assert.deepEqual(compose.services.web.devices, ['/dev/dri:/dev/dri', '${DEVICE}:/dev/x']);
  assert.equal(compose.services.db.devices, undefined);
  assert.match(notes.join('\n'), /^Service web runs without devices that this machine lacks: \/dev\/vcsm, .*; if/m);
});

const leftOut: [what: string, translation: () => Promise<Translation>, reason: RegExp][] = [
  [
    'no Compose file',
    () => translateCasaos('No\u0007tes', new Map()),
    /its folder "No\\\\u\{7\}tes" has no docker-comp/,
  ],
  [
    'no YAML',
    () => translate('', { 'docker-compose.yml': 'a: [' }),
    /docker-compose.yml is not read: Flow sequence .*\(line 1\)$/,
  ],
  ['two documents', () => translate('', { 'docker-compose.yml': 'a: 1\n---\nb: 1\n' }), /is not read: .*multiple/],
  ['an alias', () => translate('', { 'docker-compose.yml': 'a: &x 1\nb: *x' }), /Alias resolution is disabled/],
  ['many aliases', () => translate('', { 'docker-compose.yml': 'b: *x\n'.repeat(1001) }), /too many aliases/],
  ['deep nesting', () => translate('', { 'docker-compose.yml': '['.repeat(61) + ']'.repeat(61) }), /nested too deeply/],
  ['very deep nesting', () => translate('', { 'docker-compose.yml': '['.repeat(90_000) }), /is not read/],
  ['a name with capital letters', () => translate({ name: 'Notes' }), /"Notes" is no name for a directory/],
  ['a name that leads out', () => translate({ name: '../notes' }), /"..\/notes" is no name for a directory/],
  ['a name that is no text', () => translate({ name: [1] }), /"" is no name for a directory/],
  ['no services', () => translate({ name: 'notes' }), /it has no services/],
  [
    'a list of services',
    () => translate({ services: [{ image: 'a' }] }),
    /^its service 0 has no image|^it has no serv/,
  ],
  ['include', () => appWith({}, { include: ['x'] }), /its Compose file has include/],
  ['secrets', () => appWith({}, { secrets: { a: { file: '/etc/shadow' } } }), /its Compose file has secrets/],
  ['no image', () => appWith({ image: null }), /its service web has no image/],
  ['an empty image', () => appWith({ image: '' }), /its service web has no image/],
  ['an image that is an option', () => appWith({ image: '--privileged' }), /its service web has no image/],
  ['an image with a line end', () => appWith({ image: 'a\nb' }), /its service web has no image/],
  ['a build', () => appWith({ build: '.' }), /its service web has build, which needs more/],
  ['a file of variables', () => appWith({ env_file: '/etc/passwd' }), /its service web has env_file/],
  ["another app's volumes", () => appWith({ volumes_from: ['x'] }), /its service web has volumes_from/],
  ['an odd name of a service', () => translate({ name: 'n', services: { 'a\nb': {} } }), /name of its service "a b"/],
  [
    'a path that leads out',
    () => appWith({ volumes: ['/DATA/AppData/$AppID/../x:/x'] }),
    /a folder outside of its own/,
  ],
  ['the folders of all apps', () => appWith({ volumes: ['/DATA/AppData:/x'] }), /the folders of all other apps/],
  ['a file of the store', () => appWith({ volumes: ['./init.sql:/x'] }), /it mounts ".\/init.sql", which comes from/],
  ['a path with a control character', () => appWith({ volumes: ['/DATA/..\0/x:/x'] }), /a folder with an odd name/],
  [
    'a path that may be one of the store',
    () => appWith({ volumes: [{ type: 'bind', source: 'data', target: '/x' }] }),
    /it mounts "data", which comes from neither/,
  ],
  [
    'an odd mount',
    () => appWith({ volumes: [{ type: 'image', source: 'a', target: '/x' }] }),
    /mount of the type image/,
  ],
  ['a mount at no path', () => appWith({ volumes: [{ source: 'a' }] }), /its service web mounts something at ""/],
  ['an unknown variable in a folder', () => appWith({ volumes: ['/DATA/$X:/x'] }), /unknown variable: \${X}/],
  ['an unknown port', () => appWith({ ports: ['$X:80:80:80:a'] }), /publishes a port with an unknown form/],
  ['an odd port', () => appWith({ ports: [{ target: [] }] }), /publishes a port with an unknown form/],
  ['a port that is too large', () => appWith({ ports: ['70000:80'] }), /publishes a port with an unknown form/],
  ['the port 0 inside', () => appWith({ ports: ['80:0'] }), /publishes a port with an unknown form/],
  ['a span that ends before it begins', () => appWith({ ports: ['9-8:9-8'] }), /publishes a port with an unknown form/],
  ['a published port that is no text', () => appWith({ ports: [{ target: 1, published: {} }] }), /an unknown form/],
  ['an odd protocol', () => appWith({ ports: ['1:1/icmp'] }), /publishes a port with an unknown form/],
  ['an odd address', () => appWith({ ports: ['host:1:1'] }), /publishes a port with an unknown form/],
  ['an odd variable', () => appWith({ command: 'echo ${1}' }), /a variable with an unknown form: echo/],
  ['an odd use of its name', () => appWith({ command: '${AppID:-x}' }), /uses AppID in an unknown form/],
  [
    "Compose's own variable",
    () => appWith({ command: '$COMPOSE_FILE' }),
    /uses the variable COMPOSE_FILE, which Compose takes/,
  ],
  ['a name of a variable with spaces', () => appWith({ environment: { 'a b': 1 } }), /a variable with the name "a b"/],
  [
    'a variable that is a list',
    () => appWith({ environment: { A: [1] } }),
    /the variable A of a container is not a text/,
  ],
  [
    'a list of variables with a mapping',
    () => appWith({ environment: [{ toString: 1 }] }),
    /the variable {"toString":1} of a container is not a text/,
  ],
  ['an empty entry of variables', () => appWith({ environment: [null] }), /the variable null of a container is not/],
  ["the box's own folder", () => appWith({ volumes: ['$HOME/x:/x'] }), /the variable HOME, which Compose takes from/],
  ["the box's own programs", () => appWith({ command: '${PATH:-/bin}' }), /the variable PATH, which Compose takes/],
  ["the box's own engine", () => appWith({ environment: ['DOCKER_HOST'] }), /the variable DOCKER_HOST, which Compose/],
  [
    'odd notes',
    () => appWith({ volumes: Array.from({ length: 2000 }, (_, index) => `/folder${index}:/x`) }),
    /it has more notes than 3000 characters/,
  ],
  [
    'an odd name without a value',
    () => appWith({ environment: ['a.b'] }),
    /the variable a.b of a container has no value/,
  ],
  [
    'a config in a file',
    () => appWith({}, { configs: { a: { file: '/etc/shadow' } } }),
    /its file a is not in its Comp/,
  ],
  [
    'many settings',
    () => appWith({ command: Array.from({ length: 301 }, (_, index) => `$A${index}`) }),
    /more than 300 settings/,
  ],
  [
    'many variables',
    () => appWith({ environment: Array.from({ length: 2001 }, (_, index) => `A${index}=1`) }),
    /more than 2000 variables/,
  ],
  [
    'a manifest that is too large',
    () => {
      const entries = Array.from({ length: 300 }, (_, index) => [`A${index}`, 'x'.repeat(300)] as const);
      const envs = entries.map(([container]) => ({ container }));
      return appWith({ environment: Object.fromEntries(entries), 'x-casaos': { envs } });
    },
    /its manifest would not be read: manifest.json: expected at most 65536 bytes/,
  ],
];

for (const [what, translation, reason] of leftOut) {
  test(`an app is left out because of ${what}`, async () => {
    assert.match(reasonOf(await translation()), reason);
  });
}

const noted: [what: string, fields: Fields, note: RegExp | null][] = [
  ['privileged', { privileged: true }, /^Service web asks for powers over this machine: privileged\.$/],
  ["the machine's network", { network_mode: 'host' }, /network_mode: host/],
  ["another container's network", { network_mode: 'container:x' }, /network_mode: container:x/],
  ['capabilities', { cap_add: ['SYS_ADMIN', 'NET_ADMIN'] }, /cap_add: SYS_ADMIN, cap_add: NET_ADMIN/],
  ['less power', { security_opt: ['no-new-privileges:true'], cap_drop: ['ALL'], ipc: 'private' }, null],
  ["another service's processes", { pid: 'service:db' }, null],
  [
    'devices',
    { devices: ['/dev/dri:/dev/dri', { source: '/dev/kvm' }] },
    /devices .*: \/dev\/dri:\/dev\/dri, {"source/,
  ],
  [
    'a graphics card',
    { deploy: { resources: { reservations: { devices: [{ driver: 'nvidia' }] } } } },
    /does not start without one of them: nvidia GPU\.$/,
  ],
  [
    "Docker's socket",
    { volumes: ['/var/run/docker.sock:/s'] },
    /mounts paths of this machine: \/var\/run\/docker\.sock\.$/,
  ],
  ['a home folder', { volumes: ['~/x:/x'] }, /mounts paths of this machine: ~\/x\.$/],
  ['a path in a variable', { volumes: ['${DIR:-/etc}:/x'] }, /mounts paths of this machine: \${DIR:-\/etc}\.$/],
  ['a variable in its folder', { volumes: ['/DATA/AppData/$AppID/$X:/x'] }, /paths of this machine: .\/data\/\${X}/],
  [
    'an unknown member',
    { use_api_socket: true },
    /^use_api_socket of service web is not known here and was left out\.$/,
  ],
  ['labels', { labels: ['traefik.enable=true'] }, /^Labels of service web were left out: traefik.enable\.$/],
  ['a secret for everyone', { environment: { DB_PASSWORD: 'tipi' } }, /same value for DB_PASSWORD/],
  ['no secret', { environment: { USE_PASSWORD: 'true', PASSWORD_FILE: '/run/secrets/x', A_PASSWORD: '$TZ' } }, null],
  ['a variable without a value', { environment: ['TOKEN', 'A=b'] }, /the form asks: TOKEN\.$/],
  ['a variable with a preset', { command: '$A ${B:-1} ${C+1}' }, /^The form does not ask for these .*: B, C\.$/],
  [
    "another app's folder",
    { volumes: ['/DATA/AppData/Mongo/db:/db'] },
    /folder of "Mongo" that it uses is its own here/,
  ],
  ['odd options', { volumes: ['a:/x:ro,rslave'] }, /^rslave of a mount of service web is not known here/],
  [
    'members of a mount',
    { volumes: [{ type: 'bind', source: '/x', target: '/y', bind: { propagation: 'shared' }, consistency: 'cached' }] },
    /^consistency, propagation of a mount/,
  ],
];

for (const [what, fields, note] of noted) {
  test(`${note === null ? 'no note is made' : 'a note is made'} of ${what}`, async () => {
    const { notes } = takenFrom(await appWith({ ports: ['8180:80'], ...fields }));
    if (note === null) assert.deepEqual(notes, []);
    else
      assert.ok(
        notes.some((one) => note.test(one)),
        notes.join('\n'),
      );
  });
}

test('a variable that Compose requires is a required setting', async () => {
  const { settings, web } = takenFrom(await appWith({ command: '${A_TOKEN:?give one}', links: ['db:mysql'] }));
  assert.deepEqual([settings.get('A_TOKEN')?.required, settings.get('A_TOKEN')?.type], [true, 'password']);
  assert.deepEqual(web, { image: 'notes:1', command: '${A_TOKEN:?give one}', links: ['db:mysql'] });
});

test('powers that are noted stay in the Compose file', async () => {
  const fields = { privileged: true, pid: 'host', devices: ['/dev/kvm'], cap_add: ['ALL'], network_mode: 'host' };
  const { web } = takenFrom(await appWith({ ...fields, ports: ['8180:80'], networks: ['a'] }));
  assert.deepEqual(web, { image: 'notes:1', ...fields });
});

test('the forms of ports', async () => {
  const { web, settings } = takenFrom(
    await appWith({
      ports: [
        '8180:80',
        '8180:80/udp',
        '127.0.0.1:9000:90/tcp',
        '[::1]:9001:91',
        '25500-25600:25500-25600/udp',
        '${ADDRESS:-0.0.0.0}:$OTHER:$INNER',
        '3000',
        '0:1',
        { target: '81', host_ip: '10.0.0.1', published: 9002 },
      ],
    }),
  );
  assert.deepEqual(web.ports, [
    '${APP_PORT:-8180}:80',
    '${APP_PORT:-8180}:80/udp',
    '127.0.0.1:${PORT_9000:-9000}:90',
    '[::1]:${PORT_9001:-9001}:91',
    '25500-25600:25500-25600/udp',
    '${ADDRESS:-0.0.0.0}:${OTHER}:${INNER}',
    '3000',
    '0:1',
    '10.0.0.1:${PORT_9002:-9002}:81',
  ]);
  assert.deepEqual([...settings.keys()], ['APP_PORT', 'OTHER', 'INNER', 'PORT_9000', 'PORT_9001', 'PORT_9002']);
});

test('the forms of mounts', async () => {
  const { web, compose } = takenFrom(
    await appWith({
      volumes: [
        '/anonymous',
        'named:/n:rw',
        { type: 'tmpfs', target: '/t' },
        { type: 'volume', target: '/v' },
        { type: 'bind', source: '/DATA/Media', target: '/m', read_only: true, bind: { selinux: 'z' } },
        '/DATA/./Media/:/again:Z',
      ],
    }),
  );
  const source = '${FOLDER_MEDIA:-./folders/media}';
  assert.deepEqual(web.volumes, [
    { type: 'volume', target: '/anonymous' },
    { type: 'volume', source: 'named', target: '/n' },
    { type: 'tmpfs', target: '/t' },
    { type: 'volume', target: '/v' },
    { type: 'bind', source, target: '/m', read_only: true, bind: { selinux: 'z', create_host_path: true } },
    { type: 'bind', source, target: '/again', bind: { selinux: 'Z', create_host_path: true } },
  ]);
  assert.deepEqual(compose.volumes, { named: {} });
});

test('the fixed name of a container becomes a name for the other services', async () => {
  const services = {
    web: { image: 'a', container_name: 'web' },
    db: { image: 'b', container_name: 'notes-db' },
    cache: { image: 'c', container_name: 'notes cache', networks: ['back'] },
    mail: {
      image: 'd',
      container_name: 'notes-mail',
      networks: { back: { aliases: ['post', '$AppID'] }, other: null },
    },
  };
  const networks = { back: { driver: 'bridge', internal: true }, unused: null };
  const { compose } = takenFrom(await translate({ name: 'notes', services, networks }));
  assert.deepEqual(
    Object.entries<Fields>(compose.services).map(([name, service]) => [name, service.networks]),
    [
      ['web', undefined],
      ['db', { default: { aliases: ['notes-db'] } }],
      ['cache', { back: null }],
      ['mail', { back: { aliases: ['post', 'notes', 'notes-mail'] }, other: { aliases: ['notes-mail'] } }],
    ],
  );
  assert.deepEqual(compose.networks, { back: { driver: 'bridge', internal: true }, other: {} });
});

test("networks and volumes are the app's own", async () => {
  const { compose, notes } = takenFrom(
    await appWith(
      { networks: ['wan'], volumes: ['disk:/disk'] },
      {
        networks: { wan: { driver: 'macvlan', external: true, name: 'other' }, default: { name: 'other_default' } },
        volumes: { disk: { driver_opts: { type: 'none', o: 'bind', device: '/etc' } } },
        configs: { page: { content: 'Hello $AppID' } },
      },
    ),
  );
  assert.deepEqual([compose.networks, compose.volumes], [{ wan: {}, default: {} }, { disk: {} }]);
  assert.deepEqual(compose.configs, { page: { content: 'Hello notes' } });
  assert.deepEqual(notes.slice(0, 3), [
    "Network wan is the app's own, so this was left out of it: driver, external, name.",
    "Network default is the app's own, so this was left out of it: name.",
    "Volume disk is the app's own, so this was left out of it: driver_opts.",
  ]);
});

test('a described variable becomes a setting, unless its value is part of another one', async () => {
  const described = ['URL', 'SECRET', 'DB_PASSWORD', 'MODE', 'NONE', 'EMPTY', 'a.b', 'HOME', 'USE_TOKEN', 'API_TOKEN'];
  const envs = described.map((container) => ({ container }));
  const environment = {
    ...{ URL: 'http://$HOST', SECRET: 'abc', DB_PASSWORD: 'tipi', LINK: 'sql://tipi@db', MODE: 'one', 'a.b': 1 },
    ...{ HOME: '/app', USE_TOKEN: true, API_TOKEN: '' },
  };
  const services = {
    web: { image: 'a', environment: { ...environment, NONE: null, EMPTY: '' }, 'x-casaos': { envs: [...envs] } },
    other: { image: 'b', environment: { MODE: 'two', SECRET: 'abc', EMPTY: '' }, 'x-casaos': { envs: [...envs] } },
  };
  const { compose, settings, notes } = takenFrom(await translate({ name: 'notes', services }));
  assert.deepEqual(compose.services.web.environment, {
    URL: 'http://${HOST}',
    SECRET: '${SECRET}',
    DB_PASSWORD: 'tipi',
    LINK: 'sql://tipi@db',
    MODE: '${MODE}',
    'a.b': '1',
    HOME: '/app',
    USE_TOKEN: '${USE_TOKEN}',
    API_TOKEN: '${API_TOKEN}',
    NONE: '${NONE}',
    EMPTY: '${EMPTY}',
  });
  assert.deepEqual(compose.services.other.environment, { MODE: 'two', SECRET: '${SECRET}', EMPTY: '${EMPTY}' });
  assert.deepEqual([settings.get('SECRET')?.default, settings.get('SECRET')?.type], ['abc', 'password']);
  assert.equal(settings.get('SECRET')?.advanced, undefined);
  assert.deepEqual([settings.get('USE_TOKEN')?.type, settings.get('API_TOKEN')?.type], ['text', 'password']);
  assert.ok(notes.some((note) => /same value for SECRET, DB_PASSWORD: /.test(note)));
});

test('a setting of its own name is not taken by a port or a folder', async () => {
  const { web, settings } = takenFrom(
    await appWith({ command: '$APP_PORT $FOLDER_MEDIA', ports: ['8180:80'], volumes: ['/DATA/Media:/m'] }),
  );
  assert.deepEqual(web.ports, ['${APP_PORT_2:-8180}:80']);
  assert.deepEqual([...settings.keys()], ['APP_PORT', 'FOLDER_MEDIA', 'APP_PORT_2', 'FOLDER_MEDIA_2']);
});

const pages: [what: string, about: Fields, fields: Fields, ports: unknown, note: string | undefined][] = [
  ['a page', { port_map: '80' }, { ports: ['80:1'] }, [{ port: 80, protocol: 'http', label: 'Web page' }], undefined],
  [
    "a page on the machine's network",
    { port_map: '80' },
    { network_mode: 'host' },
    [{ port: 80, protocol: 'http', label: 'Web page' }],
    'Service web asks for powers over this machine: network_mode: host.',
  ],
  [
    'a page that is not published',
    { port_map: '80' },
    {},
    [],
    'The store says that its page is at port 80, which it does not publish.',
  ],
  ['no page', { port_map: '' }, { ports: ['80:1'] }, [], undefined],
  ['one architecture', { architectures: ['arm64'] }, {}, [], 'The store says that it runs on arm64 only.'],
  ['architectures that are no texts', { architectures: [{}] }, {}, [], undefined],
];

for (const [what, said, fields, ports, note] of pages) {
  test(`${what} is declared as the store says`, async () => {
    const { manifest, notes } = takenFrom(await appWith(fields, { 'x-casaos': said }));
    assert.deepEqual([manifest.ports, notes[0]], [ports, note]);
  });
}

test('texts of the store are bounded and have no control characters', async () => {
  const title = `A\u0007\u202eB\n${'x'.repeat(100)}`;
  const { manifest } = takenFrom(await appWith({}, { 'x-casaos': { title, description: 'a\r\nb\u001b', tagline: 7 } }));
  assert.equal(manifest.display_name, `A\\u{7}\\u{202e}B ${'x'.repeat(63)}…`);
  assert.equal(manifest.description_long, 'a\nb\\u{1b}');
  assert.deepEqual([manifest.description, manifest.version, manifest.category], ['', '0-r2', '']);
});

test('the folder names an app without a name, and the app one without a title', async () => {
  const { name, manifest } = takenFrom(await translate({ services: { web: { image: 'a' } } }));
  assert.deepEqual([name, manifest.display_name], ['notes', 'notes']);
});

test('an icon that the box would not show is left out', async () => {
  const { files, manifest, notes } = takenFrom(
    await translate({ name: 'notes', services: { web: { image: 'a' } } }, { 'icon.svg': '<svg onload="x()"/>' }),
  );
  assert.deepEqual([files['icon.svg'], manifest.icon], [undefined, '']);
  assert.deepEqual(notes, []);
});

test('names of services and volumes may be those of built-in members', async () => {
  const text = `
name: notes
services:
  __proto__: {image: a, environment: {__proto__: 1, toString: 2}, volumes: ["constructor:/c"]}
  hasOwnProperty: {image: b, depends_on: [__proto__]}
`;
  const translation = await translateCasaos('notes', new Map([['docker-compose.yml', text]]));
  const { compose } = takenFrom(translation);
  assert.deepEqual(Object.keys(compose.services), ['__proto__', 'hasOwnProperty']);
  const [first] = Object.values<Fields>(compose.services);
  assert.deepEqual(Object.entries(first?.environment as Fields), [
    ['__proto__', '1'],
    ['toString', '2'],
  ]);
  assert.deepEqual(Object.keys(compose.volumes), ['constructor']);
});

test('every text is quoted, so that no reader takes one for a number or a date', async () => {
  const environment = { A: '012', B: '2026-01-01', C: 'on', D: 'a\nb', 1: '1_000', '<<': '1' };
  const { files } = takenFrom(await appWith({ environment, init: true, tty: null, mem_limit: 5 }));
  const lines = files['compose.yaml'].split('\n').slice(2, 14);
  assert.deepEqual(lines, [
    '    image: "notes:1"',
    '    init: true',
    '    mem_limit: 5',
    '    environment:',
    '      "1": "1_000"',
    '      A: "012"',
    '      B: "2026-01-01"',
    '      C: "on"',
    '      D: "a\\nb"',
    '      "<<": "1"',
    '',
  ]);
});
