// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { growth, mostGrowth } from '../../../lib/testing/growth.ts';
import { readPaste } from './pasted-file.ts';

const read = (text: string, page = '') => readPaste({ text, title: 'My Notes', name: 'my-notes', version: '1', page });

async function taken(text: string, page = '') {
  const app = await read(text, page);
  assert.ok(app.taken, app.taken ? '' : app.reason);
  const manifest = JSON.parse(app.files['manifest.json']);
  const settings: { name: string; [field: string]: unknown }[] = manifest.settings;
  return { ...app, compose: parse(app.files['compose.yaml']), manifest, settings };
}

const web = (lines: string) => `services:\n  web:\n    image: notes:1\n${lines.replaceAll(/^/gm, '    ')}`;

test('an app keeps its own name, ports that can be changed, and folders that its programs may write', async () => {
  const text = web(
    'container_name: notes\nports: ["3000:80", "2222:22", "53:53/udp", "127.0.0.1:8443:443", "90", "91-93:91-93"]\nx-more: 1\n' +
      'volumes: ["./data/:/data", "./notes.conf:/etc/notes.conf", "files:/files", ".:/all", "/srv/media:/media:ro"]',
  );
  const { compose, manifest, settings, pages, folders, notes, services } = await taken(text, '8443');
  assert.deepEqual(compose.services.web.ports, [
    '${PORT_3000:-3000}:80',
    '${PORT_2222:-2222}:22',
    '${PORT_53:-53}:53/udp',
    '127.0.0.1:${PORT_8443:-8443}:443',
    '90',
    '91-93:91-93',
  ]);
  assert.deepEqual([manifest.name, manifest.display_name, manifest.version], ['my-notes', 'My Notes', '1']);
  assert.deepEqual(manifest.ports, [{ port: 8443, protocol: 'https', label: 'Web page' }]);
  const [first] = settings;
  assert.deepEqual([first?.name, first?.label, first?.advanced], ['PORT_8443', 'Port of its page', undefined]);
  assert.deepEqual(
    pages.map(({ port }) => port),
    ['3000', '8443'],
  );
  assert.deepEqual(folders, ['data']);
  assert.match(notes.join('\n'), /paths of this machine: \/srv\/media\./);
  assert.match(notes.join('\n'), /mounts \.\/notes\.conf, which looks like a file/);
  const own = ['data', 'notes.conf'];
  const ports = ['3000', '2222', '53/udp', '8443 at 127.0.0.1', 'a free one', '91-93'];
  assert.deepEqual(services, [{ name: 'web', image: 'notes:1', ports, folders: own }]);
});

const variables: [lines: string, wanted: object][] = [
  ['command: $PLAIN', { PLAIN: { type: 'text', default: null, required: false } }],
  ['command: "$$PLAIN $5 costs"', {}],
  ['command: "${PLAIN:?say it}"', { PLAIN: { type: 'text', default: null, required: true } }],
  ['command: "${PLAIN:-one two}"', { PLAIN: { type: 'text', default: 'one two', required: false, advanced: true } }],
  [
    'command: "${PLAIN:-${OTHER}}"',
    { PLAIN: { type: 'text', default: null, advanced: true }, OTHER: { type: 'text' } },
  ],
  ['command: "${PLAIN+more}"', { PLAIN: { type: 'text', default: null, advanced: true } }],
  ['volumes: ["${PLACE}/x:/data", "${OTHER:-./x}:/x"]', { PLACE: { required: true }, OTHER: { required: false } }],
  ['ports: ["$PORT:80"]', { PORT: { required: true } }],
  ['command: ["${PORT:-8080}"]', { PORT: { type: 'number', default: '8080' } }],
  ['environment: [DB_PASSWORD]', { DB_PASSWORD: { type: 'password', generate: { length: 32, encoding: 'hex' } } }],
  [
    'environment: {A: "${DB_PASSWORD:-postgres}"}',
    { DB_PASSWORD: { default: null, generate: { length: 32, encoding: 'hex' } } },
  ],
  ['environment: {A: "${DB_PASSWORD:-}"}', { DB_PASSWORD: { type: 'password', generate: undefined, advanced: true } }],
  [
    'environment: {A: "${SMTP_PASSWORD}"}',
    { SMTP_PASSWORD: { type: 'password', generate: undefined, required: false } },
  ],
  ['environment: {A: "${API_KEY:?get one}"}', { API_KEY: { type: 'password', generate: undefined, required: true } }],
  [
    'environment: {TZ: "$TZ", A: "${PUID:-33}"}',
    { TZ: { default: 'Etc/UTC' }, PUID: { default: '33', type: 'number' } },
  ],
  [
    'environment: {A: "${GIT_ROOT_URL}", B: "${BASE_URL:-http://localhost:3000/}", C: "${LLM_BASE_URL}"}',
    { GIT_ROOT_URL: { address: 'url' }, BASE_URL: { address: 'url' }, LLM_BASE_URL: { address: undefined } },
  ],
  ['environment: {A: "${SITE_URL:-https://x.org}"}', { SITE_URL: { address: undefined } }],
];

test('variables become fields of the form; a secret that only the app uses is made', async () => {
  for (const [lines, wanted] of variables) {
    const { settings } = await taken(web(lines));
    const found = settings.map((one) => {
      const of = wanted[one.name as keyof typeof wanted] ?? {};
      return [one.name, Object.fromEntries(Object.keys(of).map((key) => [key, one[key]]))];
    });
    assert.deepEqual(Object.fromEntries(found), wanted, lines);
  }
});

test('a service that reads the file of the variables gets the answers of the form', async () => {
  for (const env of ['.env', '[./.env]', '[{path: .env, required: false}]']) {
    const { compose, notes } = await taken(web(`env_file: ${env}`));
    assert.deepEqual(compose.services.web, { image: 'notes:1', env_file: ['.env'] }, env);
    assert.match(notes.join('\n'), /answer of the form is also given to web\./);
  }
});

test('a port of the machine may be the page where an app has its network, and the one of a variable follows it', async () => {
  const onHost = await taken(web('network_mode: host'), '8123');
  assert.deepEqual([onHost.manifest.ports[0].port, onHost.pages], [8123, []]);
  const { settings } = await taken(web('ports: ["${PORT:-8080}:80"]'), '8080');
  assert.deepEqual([settings[0]?.name, settings[0]?.type], ['PORT', 'number']);
});

test('parts that a file names once may be repeated', async () => {
  const { compose } = await taken(
    'x-base: &base\n  image: notes:1\n  restart: always\nservices:\n  a: *base\n  b:\n    <<: *base\n    restart: "no"\n',
  );
  assert.deepEqual(compose.services, {
    a: { image: 'notes:1', restart: 'always' },
    b: { image: 'notes:1', restart: 'no' },
  });
});

test('an owner is told of secrets in the file, and of a $ that may be one of a hash', async () => {
  const { notes } = await taken(web('environment: {DB_PASSWORD: letmein, HASH: "$2y$05$abc"}'));
  assert.match(notes.join('\n'), /has the secret DB_PASSWORD\. .*\n.*uses abc as variables/);
});

const bomb = `a: &a [x, x, x, x, x, x, x, x, x]\n${Array.from({ length: 9 }, (_, at) => `a${at}: &a${at} [${Array(9).fill(at === 0 ? '*a' : `*a${at - 1}`)}]`).join('\n')}\n`;

const refused: [title: string, text: string, reason: RegExp, page?: string][] = [
  ['nothing', '', /no line services:/],
  ['a command', 'docker run -d notes', /no line services:/],
  ['no service', 'services: {}', /no services/],
  ['no YAML', 'services:\n  web:\n    image: [', /not read: .* \(line 3\)$/],
  ['several documents', 'services: {}\n---\nservices: {}', /not read: .*multiple documents/],
  ['a bomb of aliases', `${bomb}services: *a8`, /not read: Excessive alias count/],
  ['thousands of aliases', `a: &a x\nb: [${'*a ,'.repeat(1001)}]\nservices: {}`, /too many aliases/],
  ['deep nesting', `services: ${'['.repeat(100)}${']'.repeat(100)}`, /nested too deeply/],
  ['many lines', '\n'.repeat(5000), /more than 5000 lines/],
  ['many bytes', 'ä'.repeat(131_073), /more than 256 kB/],
  ['include', 'include: [other.yaml]\nservices: {}', /has include, which needs further files/],
  ['secrets', 'secrets: {key: {file: /etc/shadow}}\nservices: {}', /has secrets,/],
  ['a file of configs', `configs: {key: {file: /etc/shadow}}\n${web('')}`, /its file key is not in its Compose file/],
  ['build', web('build: .'), /service web has build, .*name a finished image/],
  ['extends', web('extends: {file: /etc/x.yaml, service: web}'), /has extends,/],
  ['env_file', web('env_file: [.env, /etc/boxgate/box.env]'), /has the env_file \/etc\/boxgate\/box\.env,/],
  ['no env_file', web('env_file: 5'), /has the env_file , which/],
  ['a folder above', web('volumes: ["../../etc:/etc"]'), /mounts a folder outside of its own/],
  ['a folder above in the middle', web('volumes: ["./a/../..:/etc"]'), /mounts a folder outside of its own/],
  ['a variable of the box', web('command: $HOME'), /the variable HOME, which Compose takes from the box/],
  ['a variable of Docker', web('environment: [DOCKER_HOST]'), /the variable DOCKER_HOST/],
  ['a page that is none', web('ports: ["80:80"]'), /its page cannot be at port 81/, '81'],
  ['a page at no port', web('network_mode: host'), /its page cannot be at port 70000/, '70000'],
  [
    'many notes',
    web(`volumes: [${Array.from({ length: 300 }, (_, at) => `"/a${at}/${'b'.repeat(10)}:/c${at}"`)}]`),
    /more notes/,
  ],
];

test('a file that makes no app is refused with a sentence', async () => {
  for (const [title, text, reason, page] of refused) {
    const app = await read(text, page);
    assert.match(app.taken ? 'taken' : app.reason, reason, title);
  }
});

test('twice the text takes twice the time', async () => {
  const texts: Record<string, (size: number) => string> = {
    dollars: (size) => web(`command: "${'$A$'.repeat(size / 3)}"`),
    braces: (size) => web(`command: "${'${A:-'.repeat(size / 5)}"`),
    mounts: (size) => web(`volumes: ["./${'a/'.repeat(size / 2)}x:/b"]`),
  };
  for (const [name, inputOf] of Object.entries(texts)) {
    const found = await growth((text: string) => read(text), inputOf, 64 * 1024);
    assert.ok(found <= mostGrowth, `${name}: ${found.toFixed(2)}`);
  }
});
