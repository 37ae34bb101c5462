// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what stands in these texts is source.
import { type BoxFault, boxFault, inFile } from './box-fault.ts';

const check = inFile('self-update/release-check.ts');
const statement = inFile('self-update/rules/statement.ts');
const keyChain = inFile('self-update/rules/key-chain.ts');
const entries = inFile('self-update/rules/archive-entry.ts');
const unpacking = inFile('self-update/adapters/unpack.ts');
const health = inFile('self-update/rules/health.ts');
const plan = inFile('self-update/plan.ts');
const fetching = inFile('self-update/fetch-release.ts');
const switching = inFile('self-update/switch-over.ts');
const rollBack = inFile('self-update/roll-back.ts');
const tidying = inFile('self-update/tidy.ts');
const updater = inFile('self-update/updater.ts');
const folder = inFile('self-update/adapters/software-folder.ts');
const manager = inFile('self-update/adapters/service-manager.ts');
const jobs = inFile('self-update/adapters/systemd.ts');
const stateFile = inFile('self-update/adapters/update-files.ts');
const http = inFile('self-update/adapters/http-get.ts');

const choice = (name: string, does: string, ids: string, ...changes: BoxFault['changes']) =>
  boxFault(name, does, ids.replaceAll(/\d+/g, 'choice/box/$&'), ...changes);

/** Updates of the box software that do harm, or leave something behind. */
export const releaseFaults: readonly BoxFault[] = [
  choice(
    'release-signature-ignored',
    'takes any signature for a good one',
    '139',
    check('if (!ports.keys.isSigned(key, entry.statement, entry.signature))', 'if (key === entry.statement)'),
  ),
  choice(
    'release-expiry-ignored',
    'installs news that expired long ago',
    '358',
    statement("if (now > expires) fail('expired', { version, expired: expires, now });", ''),
  ),
  choice(
    'release-from-the-future',
    'installs what was signed next year',
    '358',
    statement("if (now.getTime() < issued.getTime() - dayMs) fail('clock', { version, issued, now });", ''),
  ),
  choice(
    'release-of-any-platform',
    "installs the other platform's archive",
    '355',
    statement("{ type: 'release', product, platform }", "{ type: 'release', product }"),
  ),
  choice(
    'release-of-any-product',
    'installs the release of another product',
    '355',
    statement("{ type: 'release', product, platform }", "{ type: 'release', platform }"),
  ),
  choice(
    'release-mixed',
    'believes the statement where the feed says something else',
    '357',
    statement("if (!isEqual) fail('mixedRelease', { version, field });", ''),
  ),
  choice(
    'release-always-signed',
    'refuses a file as a feed that is not signed',
    '356',
    check('if (!mayBeUnsigned(feed.address)) fail(', 'fail('),
  ),
  choice(
    'release-key-of-anybody',
    'follows a key that nobody has announced',
    '359',
    keyChain('if (isSigned(key, statement, signature)) key', 'key'),
  ),
  choice(
    'release-key-for-ever',
    'knows no key but its own',
    '359',
    keyChain('key = nextKey(statement) ?? key;', 'nextKey(statement);'),
  ),
  choice(
    'release-redirected-anywhere',
    'follows a redirection to plain HTTP elsewhere',
    '360',
    http('const next = addressFrom(address.href, named);', 'const next = URL.parse(named, address.href);'),
  ),
  choice(
    'release-digest-ignored',
    'does not compare the digest of the archive',
    '139',
    fetching(
      'if ((await archives.digest(software.download)) !== archive.sha256)',
      'if (archive.sha256 === null)',
    ),
  ),
  choice(
    'release-with-links',
    'lets links, pipes and devices through',
    '361',
    entries("if (type !== 'file' && type !== 'directory') refuse", 'if (type === null) refuse'),
  ),
  choice(
    'release-climbs-out',
    'lets a file climb out of its folder',
    '361',
    entries(" || part === '..')", ')'),
    unpacking('    await makeFolder(dirname(path));\n', ''),
    unpacking('await makeOpenFolder(path);', 'await mkdir(path, { recursive: true });'),
  ),
  choice(
    'release-without-bounds',
    'unpacks more than was signed',
    '361',
    entries("if (bytes > maxBytes) fail('archiveUnpackedSize', { bytes: maxBytes });", ''),
  ),
  choice(
    'release-not-looked-at',
    'does not look at name and version in package.json',
    '368',
    folder("if (name !== 'boxgate' || actual !== version) {", "if (name === '' && actual === version) {"),
  ),
  choice(
    'release-not-tried',
    'does not try whether the new version runs',
    '368',
    folder("[join(staging, 'bin/boxgate'), ...command, '--help']", "['/bin/true', ...command]"),
  ),
  choice(
    'release-switched-first',
    'makes the new version the current one before the download',
    '133',
    fetching(
      '  await download(ports, attempt, plan);\n',
      "  await require('node:fs/promises').mkdir(`${ports.software.path}/${plan.to}`);\n  await ports.software.switchTo(plan.to);\n  await download(ports, attempt, plan);\n",
    ),
  ),
  choice(
    'release-layout-ignored',
    'downloads where current is another version',
    '366',
    plan('if (current !== from)', "if (current === '')"),
  ),
  choice(
    'release-unit-ignored',
    'downloads where the service does not run',
    '366',
    plan("if (state !== 'active') fail('unitNotActive', { unit, state });", ''),
  ),
  choice(
    'release-beside-a-change',
    'switches while an app is changed',
    '369',
    switching('await changes.lock(longestChangeSeconds)', '{ release() {} }'),
  ),
  choice(
    'release-without-bytes',
    'does not say how many bytes have come',
    '131',
    fetching(
      'attempt.noteProgress({ bytes, progress: Math.min(bytes / size, 1) })',
      'attempt.noteProgress({})',
    ),
  ),
  choice(
    'release-without-news',
    'does not say where the changelog is',
    '131',
    plan('const news = archive?.changelog ?? null;', 'const news = archive?.product ?? null;'),
  ),
  choice(
    'release-state-in-place',
    'writes the state over the one before',
    '136',
    stateFile(
      'writeFileAtomic(statePath, text, 0o644)',
      "require('node:fs/promises').writeFile(statePath, text, { mode: 0o644 })",
    ),
  ),
  choice(
    'release-never-ill',
    'does not look whether the new version answers',
    '371 372',
    switching("if (problem !== null) fail('unhealthy', { version: to, problem, unit });", ''),
  ),
  choice(
    'release-first-answer',
    'is content with one answer of the new version',
    '371',
    health('steadyMs = 3000', 'steadyMs = 0'),
  ),
  choice(
    'release-any-version',
    'is content with an answer of another version',
    '371',
    health('answer.server === `boxgate/${version}` && answer.status < 500', 'answer.status < 500'),
  ),
  choice(
    'release-not-taken-back',
    'leaves a new version current that does not run',
    '133 372',
    rollBack('const problem = isSwitched ? await goBack(ports, state) : null;', 'const problem = null;'),
  ),
  choice(
    'release-old-not-started',
    'puts the link back and leaves the service alone',
    '372',
    rollBack(
      '    await manager.restart(unit).catch(() => manager.restart(unit));\n    const problem = await waitUntilHealthy',
      '    const problem = await waitUntilHealthy',
    ),
  ),
  choice(
    'release-too-often',
    'does not start a service again that has failed too often',
    '372',
    manager("await run(['reset-failed', unit], questionTimeoutMs).catch(() => undefined);", ''),
  ),
  choice(
    'release-stays',
    'keeps a new version that it has taken back',
    '372',
    rollBack('await software.remove(to);', ''),
  ),
  choice(
    'release-download-stays',
    'keeps the download and what it has unpacked',
    '372',
    folder('for (const entry of [download, staging, coming]) await remove(entry);', 'await remove(coming);'),
  ),
  choice(
    'release-not-pruned',
    'keeps every version',
    '375',
    tidying('await problemOf(() => software.prune([from, to])),', ''),
  ),
  choice(
    'release-pruned-too-much',
    'removes the version before as well',
    '375',
    tidying('software.prune([from, to])', 'software.prune([to])'),
  ),
  choice(
    'release-begun-again',
    'begins an update again that was killed',
    '373',
    updater('if (isUnfinished(before)) return await endInterrupted(ports, makeAttempt(ports, before));', ''),
    updater('if (before.attempt === id) {', 'if (id === null) {'),
  ),
  choice(
    'release-left-unfinished',
    'leaves an update unfinished that was killed',
    '373',
    jobs("['--property=Restart=on-abnormal', '--property=RestartSec=1']", '[]'),
  ),
];
