import { type BoxFault, boxFault, breaking, inFile } from './box-fault.ts';

const summary = inFile('box/rules/manifest/app-summary.ts');
const lists = inFile('box/apps/list-apps.ts');
const catalogue = inFile('box/apps/catalogue.ts');
const folders = inFile('box/adapters/files/app-folders.ts');
const manifest = inFile('box/rules/manifest/manifest.ts');
/** A fault of one app is one of the whole list. */
const faultsSpread = catalogue(
  'return { ...broken(entry, faultText({ report }, error)), settled: false };',
  'throw error;',
);

/** App summaries, broken apps and the two lists. */
export const listFaults: readonly BoxFault[] = [
  boxFault(
    'summary-extra-key',
    'adds the settings to a summary',
    'summary/1',
    summary('icon_svg: iconSvg,', 'icon_svg: iconSvg, settings: manifest.settings,'),
  ),
  boxFault(
    'names-of-projects',
    'takes only names for apps that Compose takes for projects',
    'listApps/3 service/13',
    inFile('box/rules/manifest/app-name.ts')(
      'impossible.test(name)) return false;',
      '!/^[a-z0-9][a-z0-9_-]*$/.test(name)) return false;',
    ),
  ),
  boxFault(
    'project-by-bytes',
    'makes a project name of its own of a directory that Compose folds',
    'process/20',
    inFile('box/rules/compose/compose-file.ts')(
      'named || projectOfDirectory(directoryName)',
      "named || directoryName.toLowerCase().replaceAll(/[^a-z0-9_-]/g, '-')",
    ),
  ),
  boxFault(
    'names-decoded',
    'decodes every escape of a name in a path',
    'choice/box/242',
    inFile('box/rules/manifest/app-name.ts')(' || needlessEscape.test(sent)', ''),
  ),
  boxFault(
    'names-not-decoded',
    'decodes no name in a path',
    'choice/box/242',
    inFile('box/rules/manifest/app-name.ts')("if (!sent.includes('%')", "if (sent !== ''"),
  ),
  boxFault(
    'project-shared',
    'installs an app whose project another one has',
    'choice/box/243',
    inFile('box/apps/install.ts')("if (owner !== null) refuse('projectTaken', { app, owner });", ''),
  ),
  boxFault(
    'summary-without-long-text',
    'leaves the long text out of a summary',
    'summary/1 summary/6',
    summary('    description_long: manifest.description_long,\n', ''),
  ),
  boxFault(
    'bundled-summary-with-ok',
    'adds ok to the summaries of bundled apps',
    'summary/1 listBundledApps/1',
    lists('return [summary];', 'return [entry];'),
  ),
  boxFault(
    'summary-shown-name',
    'puts the shown name where the name belongs',
    'summary/2',
    summary('name: manifest.name,', 'name: manifest.display_name,'),
  ),
  boxFault(
    'summary-plain-name',
    'puts the name where the shown name belongs',
    'summary/3',
    summary('display_name: manifest.display_name,', 'display_name: manifest.name,'),
  ),
  boxFault(
    'summary-version-number',
    'makes a number of the version',
    'summary/4 versioning/2',
    summary('version: manifest.version,', 'version: Number.parseFloat(manifest.version),'),
  ),
  boxFault(
    'summary-version-cut',
    'shows only major and minor of the version',
    'summary/4 versioning/2',
    summary('version: manifest.version,', "version: manifest.version.split('.').slice(0, 2).join('.'),"),
  ),
  boxFault(
    'summary-long-for-short',
    'puts the long text where the short one belongs',
    'summary/5',
    summary('    description: manifest.description,', '    description: manifest.description_long,'),
  ),
  boxFault(
    'summary-short-for-long',
    'puts the short text where the long one belongs',
    'summary/6',
    summary('description_long: manifest.description_long,', 'description_long: manifest.description,'),
  ),
  boxFault(
    'summary-ports-text',
    'makes texts of the ports',
    'summary/7',
    summary('ports: manifest.ports,', 'ports: manifest.ports.map(String),'),
  ),
  boxFault(
    'summary-first-port',
    'shows the first port only',
    'summary/7',
    summary('ports: manifest.ports,', 'ports: manifest.ports.slice(0, 1),'),
  ),
  boxFault(
    'summary-no-ports',
    'shows no ports',
    'summary/7',
    summary('ports: manifest.ports,', 'ports: [],'),
  ),
  boxFault(
    'summary-icon-path',
    'shows a path for the name of the icon',
    'summary/8',
    summary('icon: manifest.icon,', "icon: manifest.name + '/' + manifest.icon,"),
  ),
  boxFault(
    'summary-empty-icon',
    'shows an empty text where there is no icon',
    'summary/9 icon/1',
    summary('icon_svg: iconSvg,', "icon_svg: iconSvg ?? '',"),
  ),
  boxFault(
    'always-has-settings',
    'says of every app that it has settings',
    'summary/10',
    summary('settings.length > 0', 'settings.length >= 0'),
  ),
  boxFault(
    'one-setting-is-none',
    'says of an app with a single setting that it has none',
    'summary/10',
    summary('settings.length > 0', 'settings.length > 1'),
  ),
  boxFault(
    'installed-without-ok',
    'leaves ok out of the installed list',
    'summary/11 listApps/3',
    lists('...app.entry,', '...(({ ok, ...rest }) => (ok ? rest : { ...rest, ok }))(app.entry),'),
  ),
  boxFault(
    'broken-with-path',
    'names a broken app by a path',
    'broken/1',
    catalogue(
      'const entry: BrokenApp = { name, ok: false, error };',
      "const entry = { name: './' + name, ok: false, error };",
    ),
  ),
  boxFault(
    'broken-ok-null',
    'has null for ok of a broken app',
    'broken/2',
    catalogue('{ name, ok: false, error };', '{ name, ok: null, error };'),
  ),
  boxFault(
    'broken-without-reason',
    'does not say why an app is broken',
    'broken/3',
    catalogue('{ name, ok: false, error };', "{ name, ok: false, error: '' };"),
  ),
  boxFault(
    'broken-extra-key',
    'adds a version to the entry of a broken app',
    'broken/4',
    catalogue('{ name, ok: false, error };', '{ name, ok: false, error, version: null };'),
  ),
  boxFault(
    'list-in-object',
    'puts the installed list into an object',
    'listApps/1',
    inFile('box/handlers.ts')('body: listApps(box) }', 'body: { apps: listApps(box) } }'),
  ),
  boxFault(
    'broken-left-out',
    'leaves broken apps out of the installed list',
    'listApps/2 listApps/4',
    lists('const entries = apps.map(', 'const entries = apps.filter(({ entry }) => entry.ok).map('),
  ),
  boxFault(
    'without-manifest-left-out',
    'leaves directories without a manifest out of the installed list',
    'listApps/2 listApps/4',
    lists(
      'const entries = apps.map(',
      'const entries = apps.filter((app) => app.manifest !== null || app.manifestStamp !== null).map(',
    ),
  ),
  boxFault(
    'files-are-apps',
    'lists files of the installed-apps directory as apps',
    'listApps/2',
    folders('if (!link && !entry.isDirectory()) continue;', ''),
  ),
  boxFault(
    'list-remembers',
    'shows an app as it was when it was first looked at',
    'listApps/4 listApps/5',
    catalogue('if (before.link !== entry.link || before.path !== entry.path) return false;', 'return true;'),
  ),
  breaking(
    boxFault(
      'torn-manifest-500',
      'answers a list with 500 when a manifest is torn',
      'listApps/4 listApps/5 listBundledApps/4',
      manifest(
        "if (value === undefined) return broken('', 'JSON',",
        "if (value === undefined) throw new Error('torn'); if (value === undefined) return broken('', 'JSON',",
      ),
      faultsSpread,
    ),
  ),
  boxFault(
    'manifest-not-utf-8',
    'reads manifests in bytes that are no UTF-8',
    'listApps/4',
    manifest('const text = decodeUtf8(bytes);', 'const text = new TextDecoder().decode(bytes);'),
  ),
  boxFault(
    'bundled-as-people-count',
    'sorts the bundled list with 9 before 10',
    'listBundledApps/2',
    catalogue(
      'apps.sort((a, b) => (a.name < b.name ? -1 : 1))',
      "apps.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))",
    ),
  ),
  boxFault(
    'bundled-in-disorder',
    'sorts the lists backwards',
    'listBundledApps/2',
    catalogue(
      'apps.sort((a, b) => (a.name < b.name ? -1 : 1))',
      'apps.sort((a, b) => (a.name < b.name ? 1 : -1))',
    ),
  ),
  boxFault(
    'bundled-by-shown-name',
    'sorts the bundled list by shown names',
    'listBundledApps/2',
    lists(
      '      return [summary];\n    });',
      '      return [summary];\n    }).sort((a, b) => (a.display_name < b.display_name ? -1 : 1));',
    ),
  ),
  boxFault(
    'bundled-shows-broken',
    'shows broken bundled apps',
    'listBundledApps/3 listBundledApps/4',
    lists('if (!entry.ok) return [];', 'if (!entry.ok) return [entry];'),
  ),
  breaking(
    boxFault(
      'bundled-fails-for-broken',
      'answers the bundled list with 500 when one of its apps is broken',
      'listBundledApps/1 listBundledApps/3 listBundledApps/4',
      lists('if (!entry.ok) return [];', "if (!entry.ok) throw new Error('broken');"),
    ),
  ),
  boxFault(
    'bundled-shows-installed',
    'shows bundled apps that are installed',
    'listBundledApps/5 states/1 states/9',
    lists('.filter((app) => !hidden.has(app.name))', ''),
  ),
  boxFault(
    'broken-hides-bundled',
    'hides a bundled app behind a broken installed one',
    'choice/box/52',
    lists('      .filter((app) => app.manifest !== null)\n', ''),
  ),
  boxFault(
    'hidden-for-good',
    'hides a bundled app that was installed once',
    'states/1 states/9',
    lists('const hidden = new Set(', 'const hidden = (globalThis.hidden ??= new Set()); for (const name of '),
    lists('      .map((app) => app.name),\n  );', '      .map((app) => app.name)) hidden.add(name);'),
  ),
  breaking(
    boxFault(
      'no-bundle-500',
      'answers 500 when there is no bundled-apps directory',
      'listBundledApps/6 listBundledApps/7',
      folders(
        'if (isAbsent(error)) return [];',
        "if (isAbsent(error) && !root.includes('bundled')) return [];",
      ),
    ),
  ),
  boxFault(
    'no-bundle-404',
    'answers 404 when the bundled list is empty',
    'listBundledApps/6 listBundledApps/7',
    inFile('box/handlers.ts')(
      'listBundledApps: () => ({ status: 200 as const, body: listBundledApps(box) }),',
      "listBundledApps: () => (listBundledApps(box).length > 0 ? { status: 200, body: listBundledApps(box) } : { status: 404, body: { error: 'none' } }),",
    ),
  ),
  breaking(
    boxFault(
      'manifest-that-is-a-folder',
      'breaks where a folder has the name of a manifest',
      'listApps/5 listBundledApps/7',
      catalogue(
        '  const bytes = manifestStamp?.isFile() ?',
        "  if (manifestStamp?.isDirectory()) throw new Error('EISDIR');\n  const bytes = manifestStamp?.isFile() ?",
      ),
      faultsSpread,
    ),
  ),
];
