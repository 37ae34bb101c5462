// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
/** Whatever a store says, a translation ends with files or a reason, and names each path outside of the app's folder. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parse, stringify } from 'yaml';
import { shownName } from '../../../../lib/shown-text.ts';
import { holds } from '../../../../lib/testing/holds.ts';
import { parseManifest } from '../../../rules/manifest/manifest.ts';
import type { Translation } from '../../../rules/translate/translation.ts';
import { translateCasaos } from './casaos.ts';
import { translateRuntipi } from './runtipi.ts';

type Mount = { type: string; source?: string };
type Service = { volumes?: Mount[]; devices?: unknown[] };

const words = fc.constantFrom(
  ...['web', 'notes', '__proto__', 'toString', '..', '.', '/', '/etc', '/DATA', '/DATA/AppData', '/dev/kvm', '~'],
  ...['$AppID', '${AppID}', '$$', '${', '${X:-/etc}', '$TZ', '${APP_DATA_DIR}', '${ROOT_FOLDER_HOST}', '/media', ':'],
  ...['/var/run/docker.sock', './data', 'true', 'host', '80', '53', '\u0000', '\u202e', '\ud800', '\n', 'é', ''],
);
const text = fc.oneof(
  words,
  fc.array(words, { maxLength: 5 }).map((parts) => parts.join('')),
  fc.string(),
);
const small = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null), fc.double());
const any = fc.oneof(
  small,
  fc.array(small, { maxLength: 3 }),
  fc.dictionary(text, small, { maxKeys: 3 }),
  fc.jsonValue(),
);
const path = fc.tuple(
  fc.constantFrom(
    '/DATA/AppData/$AppID',
    '/DATA/Media',
    '${APP_DATA_DIR}',
    '${ROOT_FOLDER_HOST}/media',
    '',
    '/etc',
    '$A',
  ),
  fc.array(fc.constantFrom('/a', '/..', '/.', '/$B', '//', '/b c', '\u0007'), { maxLength: 3 }),
);
const source = fc.oneof(
  text,
  path.map(([start, rest]) => `${start}${rest.join('')}`),
);
const target = fc.constantFrom('/x', '/y');
const odd = { weight: 1, arbitrary: any };

const often = <T>(arbitrary: fc.Arbitrary<T>) => fc.oneof({ weight: 30, arbitrary }, odd);
const partly = <T extends object>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(fields, { requiredKeys: [] });

const names = fc.constantFrom('A', 'DB_PASSWORD', 'TZ', '__proto__');
const variable = fc.oneof({ weight: 9, arbitrary: names }, { weight: 1, arbitrary: text });

const sharedFields = {
  command: often(text),
  privileged: often(fc.boolean()),
  devices: often(fc.array(text, { maxLength: 2 })),
  environment: often(fc.dictionary(variable, small, { maxKeys: 3 })),
};

const casaosService = fc
  .tuple(
    partly({
      ...sharedFields,
      volumes: often(
        fc.array(
          fc.oneof(
            fc.record({ type: fc.constantFrom('bind', 'volume'), source, target }),
            fc.tuple(source, target).map((parts) => parts.join(':')),
          ),
          { maxLength: 3 },
        ),
      ),
      ports: often(fc.array(fc.oneof(text, fc.record({ target: small, published: small })), { maxLength: 2 })),
      networks: often(fc.array(text, { maxLength: 2 })),
      network_mode: text,
      labels: any,
      deploy: any,
      'x-casaos': any,
    }),
    fc.dictionary(text, any, { maxKeys: 1 }),
  )
  .map(([known, unknown]) => ({ ...unknown, image: 'notes:1', ...known }));

const runtipiService = fc
  .tuple(
    partly({
      ...sharedFields,
      volumes: often(fc.array(fc.record({ hostPath: source, containerPath: target }), { maxLength: 3 })),
      addPorts: often(fc.array(fc.record({ hostPort: small, containerPort: small }), { maxLength: 2 })),
      healthCheck: any,
      networkMode: text,
      internalPort: small,
      isMain: fc.boolean(),
      extraLabels: any,
      deploy: any,
    }),
    fc.dictionary(text, any, { maxKeys: 1 }),
  )
  .map(([known, unknown]) => ({ ...unknown, name: 'web', image: 'notes:1', ...known }));

/** The paths of the machine that a translated app names, but for those of its own folder. */
function pathsOutside(compose: { services: Record<string, Service> }): string[] {
  const services = Object.values(compose.services);
  const binds = services.flatMap(({ volumes = [] }) => volumes.filter(({ type }) => type === 'bind'));
  const devices = services.flatMap((one) => [one.devices ?? []].flat());
  return [
    ...binds.map((mount) => String(mount.source)).filter((one) => !isOwn(one)),
    ...devices.filter((one) => typeof one === 'string').map((one) => one.replaceAll(/\s+/g, ' ').trim()),
  ];
}

function isOwn(path: string): boolean {
  if (/^\$\{FOLDER\w*:-\.\/folders[a-z0-9/-]*\}$/.test(path)) return true;
  return /^\.\/(?:data|appdata|app-data)(?:\/|$)/.test(path) && !path.includes('$') && !path.split('/').includes('..');
}

const counts = { taken: 0, left: 0 };

function check(translation: Translation): void {
  counts[translation.taken ? 'taken' : 'left'] += 1;
  if (!translation.taken) {
    assert.notEqual(translation.reason, '');
    return;
  }
  const { files, notes, name } = translation;
  assert.ok(parseManifest(Buffer.from(files['manifest.json']), name).ok);
  const compose = parse(files['compose.yaml']);
  for (const one of pathsOutside(compose)) {
    const shown = shownName(one).toWellFormed();
    assert.ok(
      notes.some((note) => note.includes(shown)),
      `${JSON.stringify(one)} is not noted in ${notes.join(' ')}`,
    );
  }
  for (const volume of Object.values(compose.volumes ?? {})) assert.deepEqual(volume, {});
  assert.doesNotMatch([...notes].join(''), /\p{Cc}/u);
}

test('any app of CasaOS', async () => {
  const services = often(
    fc.dictionary(
      fc.oneof({ weight: 20, arbitrary: fc.constantFrom('web', '__proto__', 'db') }, { weight: 1, arbitrary: text }),
      often(casaosService),
      { minKeys: 1, maxKeys: 2 },
    ),
  );
  const others = partly({ networks: any, volumes: any, configs: any, 'x-casaos': any });
  await holds(
    fc.asyncProperty(services, others, async (all, more) => {
      const yaml = stringify({ name: 'notes', ...more, services: all }, { aliasDuplicateObjects: false });
      check(await translateCasaos('notes', new Map([['docker-compose.yml', yaml]])));
    }),
    { numRuns: 400 },
  );
});

test('any app of Runtipi', async () => {
  const field = fc.oneof(
    odd,
    fc.record({ type: fc.constantFrom('text', 'random', 'boolean'), env_variable: variable, default: any }),
  );
  const config = partly({
    port: small,
    version: small,
    tipi_version: small,
    form_fields: fc.array(field, { maxLength: 1 }),
    uid: any,
  });
  await holds(
    fc.asyncProperty(
      config,
      fc.array(often(runtipiService), { minLength: 1, maxLength: 1 }),
      async (about, services) => {
        const files = new Map([
          ['config.json', JSON.stringify({ ...about, id: 'notes' })],
          ['docker-compose.json', JSON.stringify({ services })],
        ]);
        check(await translateRuntipi('notes', files));
      },
    ),
    { numRuns: 400 },
  );
});

test('any text', async () => {
  await holds(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (file) => {
      check(await translateCasaos(file, new Map([['docker-compose.yml', file]])));
      check(await translateRuntipi(file, new Map([['config.json', file]])));
      const files = { 'config.json': '{"id":"notes"}', 'docker-compose.yml': file };
      check(await translateRuntipi(file, new Map(Object.entries(files))));
    }),
  );
});

test('the properties above looked at apps that were taken, and at some that were left out', () => {
  assert.ok(counts.taken > 50, `${counts.taken} taken`);
  assert.ok(counts.left > 50, `${counts.left} left out`);
});
