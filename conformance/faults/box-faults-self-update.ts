// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what stands in these texts is source.
import { type BoxFault, boxFault, breaking, inFile } from './box-fault.ts';

const handlers = inFile('box/handlers.ts');
const refusals = inFile('box/refusals.ts');
const self = inFile('box/self-update.ts');
const check = inFile('self-update/release-check.ts');
const status = inFile('self-update/status.ts');
const release = inFile('self-update/rules/release.ts');
const state = inFile('self-update/rules/update-state.ts');
const stateFile = inFile('self-update/adapters/update-files.ts');
const attempt = inFile('self-update/attempt.ts');
const systemd = inFile('self-update/adapters/systemd.ts');

const checked = 'update_available: isNewer(release.version, box.version),';
const dispatched = "return { status: 'dispatched', unit: updateUnit };";
const started = 'startJob(box, command, variables).catch';

/** Looking for a newer version of the box, and updating it. */
export const selfUpdateFaults: readonly BoxFault[] = [
  boxFault(
    'check-extra-key',
    'adds the archives to the answer of a check',
    'checkSelfUpdate/1',
    self(checked, `${checked} archives: release.archives,`),
  ),
  boxFault(
    'check-without-current',
    'leaves out the version that runs',
    'checkSelfUpdate/1 checkSelfUpdate/3 versioning/3',
    self('    current: box.version,\n', ''),
  ),
  boxFault(
    'check-latest-null',
    'has null for the latest version when nothing is newer',
    'checkSelfUpdate/1',
    self(
      'latest: release.version,',
      'latest: isNewer(release.version, box.version) ? release.version : null,',
    ),
  ),
  boxFault(
    'check-latest-own',
    'tells its own version as the latest',
    'checkSelfUpdate/3 service/26 versioning/3',
    self('latest: release.version,', 'latest: box.version,'),
  ),
  boxFault(
    'check-versions-lists',
    'tells versions as lists of numbers',
    'checkSelfUpdate/3 versioning/3',
    self('latest: release.version,', "latest: release.version.split('.').map(Number),"),
  ),
  boxFault(
    'check-yes',
    'answers a text for update_available',
    'checkSelfUpdate/4',
    self(checked, "update_available: isNewer(release.version, box.version) ? 'yes' : 'no',"),
  ),
  boxFault(
    'check-never-newer',
    'never finds a newer version',
    'checkSelfUpdate/4 service/26',
    release('return gt(version, runningVersion);', 'return false;'),
  ),
  boxFault(
    'check-same-is-newer',
    'offers the version that runs',
    'checkSelfUpdate/4',
    release('return gt(version, runningVersion);', 'return !gt(runningVersion, version);'),
  ),
  boxFault(
    'check-202',
    'answers a check with 202',
    'checkSelfUpdate/1',
    handlers(
      '    checkSelfUpdate: async () => ({\n      status: 200 as const',
      '    checkSelfUpdate: async () => ({\n      status: 202',
    ),
  ),
  boxFault(
    'check-fails-500',
    'answers 500 when the check fails',
    'checkSelfUpdate/5 errors/10',
    refusals('updateCheckFailed: { status: 502', 'updateCheckFailed: { status: 500'),
  ),
  boxFault(
    'check-fails-quietly',
    'says that nothing is newer when the check fails',
    'checkSelfUpdate/5 errors/10',
    self("refuse('updateCheckFailed', { reason: error.message });", 'return { version: box.version };'),
  ),
  boxFault(
    'check-nonsense',
    'takes a feed that makes no sense for the version that runs',
    'checkSelfUpdate/5',
    check(
      'const release = parseRelease(feed.text);',
      "const none = { version: '0.0.0', archives: {}, keyChanges: [] };\n" +
        'const parsed = Promise.resolve(feed.text).then(parseRelease);\n' +
        'const release = await parsed.catch(() => none);',
    ),
  ),
  boxFault(
    'feed-remembered',
    'asks the feed only once',
    'checkSelfUpdate/4 checkSelfUpdate/5',
    check(
      'const feed = await ports.releaseFeed.read();',
      'const feed = (globalThis.feed ??= await ports.releaseFeed.read());',
    ),
  ),
  boxFault(
    'feed-not-set',
    'does not know the variable of the release feed',
    'process/9',
    inFile('cli/settings/box-settings.ts')("variable: 'BOX_RELEASE_FEED'", "variable: 'BOX_FEED'"),
  ),
  boxFault(
    'apply-200',
    'answers a started update with 200',
    'applySelfUpdate/1 errors/4',
    handlers('return { status: 202 as const', 'return { status: 200'),
  ),
  boxFault(
    'apply-extra-key',
    'adds the version to the answer of a started update',
    'applySelfUpdate/1',
    self(dispatched, "return { status: 'dispatched', unit: updateUnit, version: box.version };"),
  ),
  boxFault(
    'apply-started',
    'says started for dispatched',
    'applySelfUpdate/1',
    self(dispatched, "return { status: 'started', unit: updateUnit };"),
  ),
  boxFault(
    'apply-unit-null',
    'answers null for the unit',
    'applySelfUpdate/3',
    self(dispatched, "return { status: 'dispatched', unit: null };"),
  ),
  boxFault(
    'apply-unit-other',
    'answers another unit than the one that it started',
    'applySelfUpdate/3',
    self(dispatched, "return { status: 'dispatched', unit: 'update.service' };"),
  ),
  boxFault(
    'lock-not-tested',
    'does not test the update lock',
    'applySelfUpdate/4 post-rules/7 errors/8 process/22',
    self(
      "const lock = await testLock(box);\n  if (lock === null) refuse('updateRunning');\n  lock.release();",
      '',
    ),
  ),
  boxFault(
    'running-423',
    'answers a running update with 423',
    'applySelfUpdate/4 errors/8',
    refusals('updateRunning: { status: 409', 'updateRunning: { status: 423'),
  ),
  boxFault(
    'lock-elsewhere',
    'locks another file',
    'process/22 post-rules/7',
    stateFile("'update.lock'", "'updater.lock'"),
  ),
  boxFault(
    'lock-tested-late',
    'tests the lock after it started the update',
    'post-rules/7',
    self(
      "const lock = await testLock(box);\n  if (lock === null) refuse('updateRunning');\n  lock.release();\n",
      '',
    ),
    self(
      "if (start === 'already running') refuse('updateRunning');",
      "if (start === 'already running' || (await box.updateFiles.tryLock()) === null) refuse('updateRunning');",
    ),
  ),
  boxFault(
    'lock-kept',
    'keeps the update lock',
    'post-rules/15',
    self('  lock.release();\n  const start', '  const start'),
  ),
  boxFault(
    'start-fails-500',
    'answers 500 when the update cannot be started',
    'applySelfUpdate/5 errors/10',
    refusals('updateStartFailed: { status: 502', 'updateStartFailed: { status: 500'),
  ),
  boxFault(
    'start-fails-202',
    'answers 202 when the update cannot be started',
    'applySelfUpdate/5 errors/10',
    self(
      "if (error instanceof JobFailed) refuse('updateStartFailed', { reason: error.message });",
      "if (error instanceof JobFailed) return 'started';",
    ),
  ),
  boxFault(
    'nothing-dispatched',
    'starts no update',
    'service/27 post-rules/16 update-state/5',
    self(started, "Promise.resolve('started').catch"),
  ),
  boxFault(
    'update-as-child',
    'starts the update as a child of its own',
    'post-rules/16 service/27 process/18',
    self(
      started,
      "Promise.resolve((require('node:child_process').spawn(command[0], command.slice(1), { env: { ...process.env, ...variables }, stdio: 'ignore' }).on('error', () => {}), 'started')).catch",
    ),
  ),
  boxFault(
    'systemd-elsewhere',
    'looks for systemd-run in a place of its own',
    'process/18 service/27',
    systemd("['systemd-run', ...ownManager()", "['/opt/systemd/bin/systemd-run', ...ownManager()"),
  ),
  boxFault(
    'update-dies-with-it',
    'stops the update when it stops itself',
    'post-rules/17',
    inFile('box/server.ts')(
      '  await serveUntilSignal({',
      "  process.once('SIGTERM', () => void require('node:child_process').spawnSync('systemctl', [...(process.getuid() === 0 ? [] : ['--user']), 'stop', 'boxgate-update.service']));\n  await serveUntilSignal({",
    ),
  ),
  {
    ...boxFault(
      'waits-for-update',
      'answers when the update has ended',
      'post-rules/18',
      systemd("'--collect', ...properties", "'--collect', '--wait', ...properties"),
    ),
    hangs: true,
  },
  boxFault(
    'status-list',
    'answers the state in a list',
    'update-state/1 getSelfUpdateStatus/1',
    handlers(
      'body: await selfUpdateStatus(box.selfUpdate),',
      'body: [await selfUpdateStatus(box.selfUpdate)],',
    ),
  ),
  boxFault(
    'status-null',
    'answers null when there was no update',
    'update-state/4 update-state/1',
    handlers(
      'body: await selfUpdateStatus(box.selfUpdate),',
      'body: await selfUpdateStatus(box.selfUpdate).then((state) => (state.stage === undefined ? null : state)),',
    ),
  ),
  boxFault(
    'status-idle',
    'answers a stage when there was no update',
    'update-state/4',
    state('if (text === null) return {};', "if (text === null) return { stage: 'done' };"),
  ),
  boxFault(
    'status-404',
    'answers 404 when there was no update',
    'getSelfUpdateStatus/1 getSelfUpdateStatus/2',
    handlers(
      '    getSelfUpdateStatus: async () => ({\n      status: 200 as const,\n      body: await selfUpdateStatus(box.selfUpdate),\n    }),',
      "    getSelfUpdateStatus: async () => {\n      const body = await selfUpdateStatus(box.selfUpdate);\n      return body.stage === undefined ? { status: 404, body: { error: 'none' } } : { status: 200, body };\n    },",
    ),
  ),
  boxFault(
    'check-is-an-attempt',
    'writes a state for a check',
    'update-state/4',
    self(
      'const { isNewer } = await import',
      "await box.updateFiles.writeState({ stage: 'done' });\n  const { isNewer } = await import",
    ),
  ),
  boxFault(
    'status-wrapped',
    'tells only the stage of the state',
    'getSelfUpdateStatus/1 process/21',
    state('if (isState(value)) return value;', 'if (isState(value)) return { stage: value.stage };'),
  ),
  breaking(
    boxFault(
      'status-damaged-500',
      'answers 500 for a damaged state',
      'getSelfUpdateStatus/2',
      state(
        'const value = text.length > maxStateLength ? undefined : parseJson(text);',
        'const value = JSON.parse(text);',
      ),
    ),
  ),
  boxFault(
    'status-damaged-passed-on',
    'passes on a state that is no object',
    'choice/box/134',
    state('if (isState(value)) return value;', 'if (value !== undefined) return value;'),
  ),
  boxFault(
    'status-of-start',
    'tells the state as it was at first',
    'getSelfUpdateStatus/1 update-state/5',
    status(
      'return readUpdateState(await box.updateFiles.readState());',
      'return (globalThis.first ??= readUpdateState(await box.updateFiles.readState()));',
    ),
  ),
  boxFault(
    'state-elsewhere',
    'keeps the state in a file of another name',
    'process/21',
    stateFile("'update-state.json'", "'update.json'"),
  ),
  boxFault(
    'state-without-stage',
    'writes a state without a stage at the end',
    'update-state/5',
    attempt(
      'const next = { ...state, ...change, updated_at',
      'const { stage: _stage, ...rest } = change;\n    const next = { ...state, ...(change.finished_at ? rest : change), updated_at',
    ),
    attempt('    state = known;', '    state = known;\n    delete state.stage;'),
  ),
  boxFault(
    'rolled-back-silently',
    'gives no reason for what it rolled back',
    'update-state/7',
    attempt('const end = { ...change, stage,', 'const end = { ...change, reason: undefined, stage,'),
  ),
  boxFault(
    'reason-as-list',
    'gives the reasons as a list',
    'update-state/7',
    attempt('const end = { ...change, stage,', 'const end = { ...change, reason: [change.reason], stage,'),
    state('  reason: isText,', '  reason: () => true,'),
  ),
  boxFault(
    'older-is-newer',
    'offers every version but its own',
    'checkSelfUpdate/4 service/26',
    release('return gt(version, runningVersion);', 'return version !== runningVersion;'),
  ),
];
