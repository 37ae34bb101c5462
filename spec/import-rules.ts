/**
 * Which file may import which. The row with the longest matching path counts. The files of one row may import each other,
 * what `imports` names, and npm packages; `node:` means the modules of Node. A path that ends with `/` is a folder
 * with all files below it, but without its `testing/` folders, which only tests and other `testing/` folders import.
 * Tests may import everything. Only a row that `constructs` imports files of such a row or of a folder `adapters/`, and adapters each other.
 */
export type ImportRule = { files: readonly string[]; imports: readonly string[]; constructs?: true };

const filesOf = (folder: string, names: string) => names.split(' ').map((name) => `${folder}/${name}.ts`);
const lib = (names: string) => filesOf('src/lib', names);

/** What every subject of a box may use: the core, and the folders that know apps and no subject. */
const boxCore = [
  ...filesOf('src/box', 'core known-apps logged-change long-work machine report self-update'),
  ...filesOf('src/box/api', 'api-box api.gen refusals rules/page-note'),
];
const boxLayers = ['src/box/app-files/', 'src/box/apps/', 'src/box/change/', 'src/box/engine/'];
/** One folder a subject: `ports.ts`, `rules/`, `adapters/`, use cases, `room.ts`, and a `make-*.ts`. */
const subjectNames = [
  'addresses',
  'backup',
  'doctor',
  'https',
  'logs',
  'notify',
  'own-apps',
  'space',
  'stores',
  'versions',
];
const boxSubjects = subjectNames.map((name) => `src/box/${name}/`);
/** What a change of apps has to know of backups and names. */
const knownToApps = ['src/box/backup/', 'src/box/https/', 'src/box/addresses/ports.ts'];
/** The subjects that a subject asks. */
const asked: Readonly<Record<string, readonly string[]>> = {
  doctor: ['src/box/backup/', 'src/box/https/'],
  notify: ['src/box/backup/'],
};
const boxRules = ['src/box/rules/', ...[...boxLayers, ...boxSubjects, 'src/box/api/'].map((one) => `${one}rules/`)];
const boxMakers = [
  ...filesOf('src/box', 'server make-base make-self-update own-names api/serve backup/make-backups'),
  ...filesOf('src/box', 'apps/make-apps'),
  ...subjectNames.map((name) => `src/box/${name}/make-${name}.ts`),
  'src/box/addresses/make-tunnel.ts',
].filter((file) => file !== 'src/box/backup/make-backup.ts');
const boxUseCases = [
  ...boxCore,
  ...boxLayers,
  'src/box/rules/',
  ...lib(
    'coalesce command-result docker-of-snap ignore journal map-concurrently network/host-answer server-metrics refusal',
  ),
  ...lib('share-work shown-text network/wireguard-text files/storage-failed process/lock'),
  ...filesOf('src/self-update', 'ports release-check'),
  'src/self-update/rules/',
  'src/restic/ports.ts',
  ...filesOf('src/notify', 'notify-status ports'),
  'src/notify/rules/',
];
const gatewayRules = ['src/gateway/rules/', 'src/gateway/doctor/rules/', 'src/gateway/setup/rules/'];
const gatewayUseCases = [
  'src/gateway/boxes/',
  'src/gateway/routes/',
  'src/gateway/rules/',
  ...lib('coalesce ignore journal map-concurrently refusal server-metrics share-work shown-text'),
];
const everything = ['node:', 'package.json', 'src/', 'conformance/', 'fakes/', 'spec/'];

export const importRules: readonly ImportRule[] = [
  { files: ['src/package-root.ts'], imports: ['node:'] },
  { files: ['src/cli/', 'src/build/'], imports: everything, constructs: true },

  // These know nothing else of the project.
  { files: ['src/lib/'], imports: ['node:'] },
  { files: ['src/http/'], imports: ['node:', ...lib('json shown-text')] },

  // Rules are pure.
  {
    files: boxRules,
    imports: [
      ...filesOf('src/box/api', 'api.gen validators.gen'),
      ...lib('json network/host-answer network/ip-ranges network/network-text shown-text network/wireguard-text'),
      'src/notify/rules/',
      'src/restic/ports.ts',
    ],
  },
  {
    files: gatewayRules,
    imports: [
      'node:zlib', // For its CRC-32.
      ...filesOf('src/gateway', 'api.gen validators.gen ports'),
      ...lib('docker-of-snap network/host-answer network/network-text shown-text network/wireguard-text'),
      'src/notify/rules/',
    ],
  },
  { files: ['src/self-update/rules/'], imports: [...lib('json shown-text'), 'src/box/api/api.gen.ts'] },

  // Use cases reach everything outside through ports.
  { files: ['src/box/'], imports: [...boxUseCases, 'src/box/backup/rules/'] },
  { files: boxLayers, imports: [...boxUseCases, ...knownToApps] },
  ...subjectNames.map((name) => ({
    files: [`src/box/${name}/`],
    imports: [...boxUseCases, `src/box/${name}/rules/`, 'src/client/gateway-client.ts', ...(asked[name] ?? [])],
  })),
  { files: ['src/gateway/'], imports: gatewayUseCases },
  {
    files: ['src/gateway/gateway.ts'],
    imports: [...gatewayUseCases, ...filesOf('src/gateway', 'gateway-settings ports')],
  },
  { files: ['src/gateway/tokens.ts'], imports: ['node:', 'src/gateway/rules/'] },
  {
    files: ['src/gateway/boxes/', 'src/gateway/routes/'],
    imports: [...gatewayUseCases, ...filesOf('src/gateway', 'api.gen gateway gateway-settings ports refusals tokens')],
  },
  { files: ['src/gateway/setup/'], imports: ['src/gateway/setup/rules/', ...lib('command-result settings-text')] },
  {
    files: ['src/self-update/'],
    imports: ['src/self-update/rules/', ...lib('shown-text files/storage process/lock')],
  },

  { files: ['src/box/report.ts'], imports: ['src/console/api.gen.ts'] },
  { files: ['src/box/background.ts'], imports: [...boxCore, ...boxLayers, ...boxSubjects, 'src/box/rules/'] },

  // The edge of an API sees HTTP and the use cases.
  {
    files: ['src/box/api/'],
    imports: [
      ...boxCore,
      ...boxLayers,
      ...boxSubjects,
      ...[
        'src/http/',
        'src/box/rules/',
        'src/box/api/rules/',
        ...lib('journal json refusal server-metrics share-work'),
      ],
    ],
  },
  {
    files: ['src/console/'],
    imports: [
      ...['src/http/', 'src/box/rules/', ...lib('share-work'), ...boxSubjects],
      ...boxCore,
      ...boxLayers,
      ...filesOf('src/box', 'api/edge api/rules/request-origin'),
    ],
  },
  {
    files: filesOf('src/gateway', 'service requests handlers'),
    imports: [
      ...['src/http/', 'src/gateway/boxes/', 'src/gateway/routes/', 'src/gateway/rules/', ...lib('journal json')],
      ...filesOf('src/gateway', 'api.gen validators.gen gateway gateway-settings journal ports refusals'),
    ],
  },

  // Adapters and stores implement ports.
  {
    files: [...boxLayers, ...boxSubjects, 'src/box/'].map((folder) => `${folder}adapters/`),
    imports: [
      ...['node:', 'src/lib/', ...boxRules, ...boxCore, 'src/self-update/adapters/update-files.ts'],
      'src/restic/ports.ts',
      ...[...boxLayers, ...boxSubjects].map((folder) => `${folder}ports.ts`),
    ],
  },
  { files: ['src/gateway/adapters/'], imports: ['node:', 'src/gateway/ports.ts', ...gatewayRules, 'src/lib/'] },
  {
    files: ['src/gateway/adapters/setup/'],
    imports: ['node:', 'src/gateway/setup/setup-ports.ts', 'src/gateway/setup/rules/', 'src/lib/'],
  },
  {
    files: ['src/gateway/store/'],
    imports: ['node:', ...filesOf('src/gateway', 'ports gateway-settings tokens'), 'src/gateway/rules/', 'src/lib/'],
  },
  {
    files: ['src/self-update/adapters/'],
    imports: ['node:', ...filesOf('src/self-update', 'ports'), 'src/self-update/rules/', 'src/lib/'],
  },

  { files: ['src/restic/'], imports: ['node:', 'src/lib/'] },
  { files: ['src/notify/'], imports: ['node:', 'src/notify/rules/', 'src/lib/'] },
  { files: ['src/notify/rules/'], imports: lib('json') },

  // Only these construct.
  {
    files: boxMakers,
    constructs: true,
    imports: [
      ...['node:', 'package.json', 'src/package-root.ts', 'src/box/', 'src/http/', 'src/lib/'],
      ...['src/client/', 'src/notify/', 'src/restic/', 'src/self-update/'],
    ],
  },
  {
    constructs: true,
    files: ['src/console/server.ts'],
    imports: ['node:', 'package.json', 'src/box/', 'src/console/', 'src/http/', 'src/lib/'],
  },
  {
    constructs: true,
    files: [
      ...filesOf(
        'src/gateway',
        'server make-gateway operator-commands update-command doctor/doctor doctor/notify-commands',
      ),
    ],
    imports: [
      ...['node:', 'package.json', 'src/package-root.ts', 'src/gateway/', 'src/http/', 'src/lib/'],
      ...['src/notify/', 'src/self-update/'],
    ],
  },
  {
    files: ['src/gateway/setup/setup-command.ts'],
    constructs: true,
    imports: [
      ...['node:', 'src/package-root.ts', 'src/gateway/adapters/setup/', 'src/gateway/setup/', 'src/lib/'],
      'src/gateway/backup/folders.ts',
      'src/self-update/rules/release.ts',
    ],
  },
  {
    files: ['src/gateway/backup/'],
    constructs: true,
    imports: [
      ...['node:', 'package.json', 'src/gateway/store/', 'src/lib/', 'src/restic/'],
      ...filesOf('src/gateway', 'gateway-settings'),
    ],
  },
  { files: ['src/self-update/commands.ts'], imports: ['node:', 'src/self-update/', 'src/lib/'], constructs: true },

  // The page knows only the API's types.
  { files: ['src/box/page/'], imports: ['src/box/api/api.gen.ts'] },
  { files: ['src/box/page/render.ts'], imports: ['node:', 'src/package-root.ts'] },
  { files: ['src/console/page/'], imports: ['src/console/api.gen.ts', 'src/box/page/'] },
  { files: ['src/console/page/render.ts'], imports: ['src/box/page/render.ts'] },
  { files: ['src/client/'], imports: ['src/box/api/api.gen.ts', 'src/gateway/api.gen.ts', 'src/lib/'] },

  // Helpers of tests.
  {
    files: ['src/box/testing/'],
    imports: [
      ...['node:', 'src/box/', 'src/lib/', 'src/notify/', 'src/restic/testing/'],
      'src/self-update/adapters/update-files.ts',
    ],
  },
  { files: ['src/box/stores/testing/'], imports: ['node:'] },
  { files: ['src/restic/testing/'], imports: ['node:', 'src/restic/'] },
  {
    files: ['src/console/page/testing/'],
    imports: [
      'node:',
      'src/console/',
      'src/box/',
      'src/http/',
      'src/lib/',
      'src/box/page/testing/',
      'src/box/testing/',
    ],
  },
  { files: ['src/box/page/testing/'], imports: ['node:', 'src/box/page/', 'src/box/api/api.gen.ts'] },
  { files: ['src/gateway/testing/'], imports: ['node:', 'src/gateway/', 'src/lib/', 'fakes/'] },
  { files: ['src/lib/testing/'], imports: ['node:', 'src/lib/', 'fakes/environments-folder.ts'] },
  { files: ['src/self-update/testing/'], imports: ['node:', 'src/self-update/', 'src/lib/'] },
  {
    files: ['src/box/addresses/testing/'],
    imports: ['node:', 'src/box/addresses/', 'src/box/engine/rules/', 'src/box/testing/', 'src/client/', 'src/lib/'],
  },

  // The suite and the fakes treat an implementation as a black box.
  { files: ['spec/'], imports: ['node:'] },
  { files: ['fakes/'], imports: ['node:', 'package.json', 'spec/'] },
  { files: ['conformance/'], imports: ['node:', 'package.json', 'conformance/kernel/', 'fakes/', 'spec/'] },
  { files: ['conformance/kernel/'], imports: ['node:', 'fakes/', 'spec/'] },
  { files: ['bench/'], imports: ['node:', 'package.json', 'fakes/', 'conformance/kernel/subject.ts'] },
  { files: ['bench/subjects/'], imports: ['node:', 'src/'] },
  { files: ['.ci/'], imports: ['node:', 'spec/'] },
];
