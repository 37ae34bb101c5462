// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what stands in these texts is source.
import { type BoxFault, boxFault, inFile } from './box-fault.ts';

const install = inFile('box/apps/install.ts');
const files = inFile('box/adapters/files/install-files.ts');
const bundle = inFile('box/adapters/files/bundle-files.ts');
const handlers = inFile('box/handlers.ts');
const refusals = inFile('box/refusals.ts');
const server = inFile('box/server.ts');

const answered = 'body: { installed: path, actions }';
const placed = 'await rename(app, join(places.installed, name));';

/** What an install answers, copies and writes. */
export const installFaults: readonly BoxFault[] = [
  boxFault(
    'install-extra-key',
    'adds the name to the answer of an install',
    'installApp/1',
    handlers(answered, 'body: { installed: path, actions, name }'),
  ),
  boxFault(
    'install-201',
    'answers an install with 201',
    'installApp/1',
    handlers(
      'return { status: reconciled(actions), body: { installed: path, actions } };',
      'return { status: 201, body: { installed: path, actions } };',
    ),
  ),
  boxFault(
    'installed-true',
    'answers true for the path of the app',
    'installApp/3',
    handlers(answered, 'body: { installed: true, actions }'),
  ),
  boxFault(
    'installed-name',
    'answers the name of the app in place of its path',
    'installApp/3',
    install('return { path: box.folders.path(name),', 'return { path: name,'),
  ),
  boxFault(
    'installed-folder-above',
    'answers the path of the folder that the app is in',
    'installApp/3',
    install('return { path: box.folders.path(name),', 'return { path: box.installedApps,'),
  ),
  boxFault(
    'install-actions-texts',
    'answers the actions as texts',
    'installApp/4 action/1',
    handlers(answered, 'body: { installed: path, actions: actions.map(({ detail }) => detail) }'),
  ),
  boxFault(
    'install-without-actions',
    'answers null for actions',
    'installApp/4',
    handlers(answered, 'body: { installed: path, actions: null }'),
  ),
  boxFault(
    'unknown-app-404',
    'answers 404 to an install of an app that is not there',
    'installApp/7 errors/6',
    refusals('unknownApp: { status: 400', 'unknownApp: { status: 404'),
  ),
  boxFault(
    'unknown-app-leaves-folder',
    'makes a directory for an app that is not there',
    'installApp/7',
    install(
      "if (app === null) refuse('unknownApp', { app: name });",
      "if (app === null) require('node:fs').mkdirSync(box.folders.path(name), { recursive: true });\n  if (app === null) refuse('unknownApp', { app: name });",
    ),
  ),
  boxFault(
    'unknown-app-by-path',
    'resolves a name in upper case',
    'choice/box/31 choice/box/61',
    install(
      "if (!isAppName(name)) refuse('unknownApp', { app: name });",
      "name = name.toLowerCase().trim();\n  if (!isAppName(name)) refuse('unknownApp', { app: name });",
    ),
  ),
  boxFault(
    'folders-not-copied',
    'copies no files out of sub-directories',
    'service/14',
    files(
      'const left = files.values();',
      "const left = files.filter((path) => !path.includes('/')).values();",
    ),
  ),
  boxFault(
    'bytes-as-text',
    'copies files as text',
    'service/14',
    bundle('yield chunk;', "yield Buffer.from(chunk.toString('utf8'));"),
  ),
  boxFault(
    'icon-not-copied',
    'does not copy the icon',
    'service/14',
    files(
      'const left = files.values();',
      "const left = files.filter((path) => !path.endsWith('.svg')).values();",
    ),
  ),
  boxFault(
    'installed-under-other-name',
    'gives the directory of an app another name',
    'service/13',
    files(placed, 'await rename(app, join(places.installed, `${name}-1`));'),
  ),
  boxFault(
    'install-touches-neighbour',
    "puts its .env over other apps' too",
    'service/13 service/15',
    files(
      placed,
      `${placed}\n    for (const other of namesIn(places.installed)) if (other !== name) await writeSynced(join(places.installed, other, '.env'), env ?? '', 0o600);`,
    ),
  ),
  boxFault(
    'bundle-moved',
    'takes the .env.example out of the bundle',
    'service/12',
    files(placed, `${placed}\n    await unlinkIfThere(join(source, '.env.example'));`),
  ),
  boxFault(
    'bundle-marked',
    'leaves a mark in the bundle',
    'service/12',
    files(placed, `${placed}\n    await writeSynced(join(source, '.installed'), '', 0o600);`),
  ),
  boxFault(
    'settings-not-written',
    'writes no settings at an install',
    'service/15 states/2',
    install('new Map([...added, ...values])', 'new Map([...added])'),
  ),
  boxFault(
    'settings-only-known',
    'writes only settings that the example has',
    'service/15',
    install('new Map([...added, ...values])', 'new Map([...values].filter(([key]) => present.has(key)))'),
  ),
  boxFault(
    'install-starts-nothing',
    'copies and writes, and starts nothing',
    'service/18 states/2 service/17 process/17',
    install('...(await reconcile(box, name, listing))', '...[]'),
  ),
  boxFault(
    'refused-values-installed',
    'installs before it refuses the values',
    'installApp/9',
    install('  settingValues(request.settings, findSource(box, request.name).manifest);\n', ''),
    install(
      'const values = settingValues(request.settings, source.manifest);',
      'if (!source.isInstalled) { await box.installFiles.place(name, `A=1\\n`); await reconcile(box, name); }\n  const values = settingValues(request.settings, source.manifest);',
    ),
  ),
  boxFault(
    'lost-at-restart',
    'puts the .env of the example back at a start',
    'states/2 service/13',
    server(
      '  const own = ownNames(settings);\n',
      "  const own = ownNames(settings);\n  for (const { name } of box.folders.list('installed')) {\n    const example = box.folders.read('installed', name, '.env.example', 65536);\n    if (example) await box.folders.writeEnv(name, Buffer.from(example).toString());\n  }",
    ),
  ),
  boxFault(
    'containers-die-with-it',
    'takes the containers down when it stops',
    'states/2',
    server(
      '  await serveUntilSignal({',
      "  process.once('SIGTERM', () => void box.folders.list('installed').forEach(({ name }) => require('node:child_process').spawnSync('docker', ['compose', '-p', name, 'down'])));\n  await serveUntilSignal({",
    ),
  ),
  boxFault(
    'password-in-install',
    'shows the submitted settings in the answer of an install',
    'value/4',
    install(
      "detail: 'copied from the bundled apps' }",
      'detail: `copied from the bundled apps${JSON.stringify(env)}` }',
    ),
  ),
  boxFault(
    'hidden-files-left-out',
    'copies no file whose name begins with a dot',
    'service/14',
    bundle("if (path === '.env') continue;", "if (entry.name.startsWith('.')) continue;"),
  ),
  boxFault(
    'modes-lost',
    'copies programs as files that cannot be run',
    'service/14',
    bundle('((look(from)?.mode ?? 0o644) & 0o777) | 0o600', '0o644'),
  ),
  boxFault(
    'without-manifest-too',
    'installs a bundled directory whose manifest cannot be read',
    'installApp/7 service/11',
    install(
      "const from = bundled === null ? 'installed' : 'bundled';",
      "const from = bundled === null ? 'installed' : 'bundled';\n  if (app.manifest === null) return { manifest: { name, settings: [] } as never, from, isInstalled: false };",
    ),
  ),
];
