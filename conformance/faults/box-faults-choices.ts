import { type BoxFault, boxFault, inFile } from './box-fault.ts';

const service = inFile('box/service.ts');
const changes = inFile('box/adapters/changes.ts');
const takesLock = "await onStorage('cannot begin a change', takeLock)";
const folders = inFile('box/adapters/files/app-folders.ts');
const compose = inFile('box/adapters/docker/compose.ts');
const refresh = inFile('box/rules/reconcile/refresh-plan.ts');
const ports = inFile('box/apps/ports-held.ts');
const self = inFile('box/self-update.ts');

/** What only ours has to hold, as far as a fault in it would hurt an owner. */
export const choiceFaults: readonly BoxFault[] = [
  boxFault(
    'written-in-place',
    'writes files in place',
    'choice/box/84',
    inFile('lib/files/write-file.ts')(
      "await writeSynced(temporary, bytes, mode, 'wx');\n    await rename(temporary, path);",
      "await require('node:fs/promises').writeFile(path, bytes, { mode });",
    ),
  ),
  boxFault(
    'copied-in-place',
    'copies an app file by file into its place',
    'choice/box/67',
    inFile('box/adapters/files/install-files.ts')(
      'const app = join(staging, name);\n    await mkdir(app);',
      'const app = join(places.installed, name);\n    await mkdir(app);\n    await new Promise((done) => setTimeout(done, 300));',
    ),
    inFile('box/adapters/files/install-files.ts')('await rename(app, join(places.installed, name));', ''),
  ),
  boxFault(
    'placeholder-of-any-key',
    'takes a placeholder for one under a key that is no secret',
    'choice/box/94',
    inFile('box/rules/dotenv/placeholder.ts')(
      'isSecret(key) && isPlaceholder(value)',
      'isPlaceholder(value)',
    ),
  ),
  boxFault(
    'placeholder-of-another-key',
    'refuses a settings update for a placeholder that it does not submit',
    'choice/box/96',
    inFile('box/apps/settings.ts')(
      'placeholderKeys(values, manifest.settings)',
      "placeholderKeys(readDotenv(mergeDotenv(envToChange(box, name) ?? '', values)), manifest.settings)",
    ),
  ),
  boxFault(
    'changes-at-once',
    'carries changes out all at once',
    'choice/box/126',
    changes('queue(async () => {', '((job) => job())(async () => {'),
    changes(takesLock, 'true'),
  ),
  boxFault(
    'changes-not-locked',
    'has changes take turns in one process only',
    'choice/box/126 choice/box/128',
    changes(takesLock, 'true'),
  ),
  boxFault(
    'env-open',
    'lets everybody read .env',
    'choice/box/83',
    folders('return writeFileAtomic(path, text, 0o600);', 'return writeFileAtomic(path, text, 0o644);'),
  ),
  boxFault(
    'env-without-backup',
    'keeps no .env of before',
    'choice/box/85',
    folders("if (before !== null) await writeFileAtomic(join(directory, '.env.bak'), before, 0o600);", ''),
  ),
  boxFault(
    'other-sites-post',
    'takes posts from pages of other sites',
    'choice/box/20 choice/box/21',
    service("if (isPost && isCrossSite(headers, own)) refuse('crossSite');", ''),
  ),
  boxFault(
    'any-host',
    'takes itself for any host',
    'choice/box/24',
    service("if (!isOwn(headers.host ?? ''))", 'if (false)'),
  ),
  boxFault(
    'other-ports-post',
    'takes posts from pages on any port of its own behind a proxy that rewrites Host',
    'choice/box/22',
    inFile('box/rules/request-origin.ts')(
      'if (port !== defaultPort && port !== String(own.port)) return false;',
      '',
    ),
  ),
  boxFault(
    'commanded-through-tunnel',
    'takes commands under its address in the tunnel',
    'choice/box/200',
    service("if (host !== null) refuse('tunnelHost', { host });", ''),
  ),
  boxFault(
    'body-a-byte-more',
    'reads a byte more than 1 MiB',
    'choice/box/7',
    service('const maxBodyBytes = 1024 * 1024;', 'const maxBodyBytes = 1024 * 1024 + 1;'),
  ),
  boxFault(
    'body-a-byte-less',
    'reads a byte less than 1 MiB',
    'choice/box/7',
    service('const maxBodyBytes = 1024 * 1024;', 'const maxBodyBytes = 1024 * 1024 - 1;'),
  ),
  boxFault(
    'head-refused',
    'does not know HEAD',
    'choice/box/1',
    service('headIsGet: true', 'headIsGet: false'),
  ),
  boxFault(
    'edits-lost',
    "puts the bundle's files over edited ones and keeps nothing",
    'choice/box/70',
    refresh('keepAs: edited ? await freeName(path, found, installed) : null,', 'keepAs: null,'),
  ),
  boxFault(
    'volumes-removed',
    'removes the volumes of a removed app',
    'choice/box/115',
    compose(
      "composeArguments(project, ['down', '--remove-orphans']);",
      "composeArguments(project, ['down', '--remove-orphans', '--volumes']);",
    ),
  ),
  boxFault(
    'no-way-back',
    'leaves a new image in place that does not come up',
    'choice/box/122',
    inFile('box/apps/update-app.ts')('throw await rollBack(box, project, changes, error);', 'throw error;'),
  ),
  boxFault(
    'second-start',
    'says that it started an update beside one that runs',
    'choice/box/143',
    self("if (start === 'already running') refuse('updateRunning');", ''),
  ),
  boxFault(
    'downgrade-offered',
    'offers an older version',
    'choice/box/140',
    inFile('self-update/rules/release.ts')(
      'return gt(version, runningVersion);',
      'return version !== runningVersion;',
    ),
  ),
  boxFault(
    'interrupted-for-good',
    'never ends an update that was cut short',
    'choice/box/135',
    inFile('self-update/status.ts')('if (!isUnfinished(await selfUpdateStatus(box))) return;', 'return;'),
  ),
  boxFault(
    'port-of-another',
    'takes the port of another app',
    'choice/box/287',
    ports('refuseHeld(ports, others);', ''),
  ),
  boxFault(
    'port-of-a-program',
    'takes a port that another program listens on',
    'choice/box/287',
    ports('refuseHeld(ports, heldByPrograms(box, own, isAnswered));', ''),
  ),
  boxFault(
    'own-port-refused',
    "refuses the app's own port",
    'choice/box/288',
    ports('one.project === project || one.workingDirectory === directory', 'one.id === project'),
  ),
  boxFault(
    'any-port',
    'takes 0 for a port',
    'choice/box/286',
    inFile('box/rules/compose/wanted-ports.ts')('Number(from) < 1', 'Number(from) < 0'),
  ),
];
