// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what stands in these texts is source.
import { type BoxFault, boxFault, inFile } from './box-fault.ts';

const view = inFile('box/rules/dotenv/settings-view.ts');
const settings = inFile('box/apps/settings.ts');
const handlers = inFile('box/handlers.ts');
const refusals = inFile('box/refusals.ts');

const entry = '({ ...setting, value: currentValue(setting, env) })';
const changedEntry = (text: string) => view(entry, `(${text})`);
const asChanged = (text: string) =>
  changedEntry(`{ ...setting, ${text}, value: currentValue(setting, env) }`);

/** The settings view and its values. */
export const viewFaults: readonly BoxFault[] = [
  boxFault(
    'settings-are-required',
    'finds an app broken whose manifest has no settings',
    'setting/1 settings-view/3',
    inFile('box/rules/manifest/manifest.ts')(
      'if (!validateManifest(value))',
      "if (value && typeof value === 'object' && value.settings === undefined) return broken('settings', 'a list', 'none');\n  if (!validateManifest(value))",
    ),
  ),
  boxFault(
    'setting-name-lowered',
    'shows the names of settings in lower case',
    'setting/2 settings-view/4',
    asChanged('name: setting.name.toLowerCase()'),
  ),
  boxFault(
    'setting-label-is-name',
    'shows the name of a setting as its label',
    'setting/3 settings-view/4',
    asChanged('label: setting.name'),
  ),
  boxFault(
    'setting-without-text',
    'shows no help text of settings',
    'setting/4',
    asChanged("description: ''"),
  ),
  boxFault(
    'setting-types-known',
    'shows a type that it does not know as text',
    'setting/5',
    asChanged("type: ['password', 'number'].includes(setting.type) ? setting.type : 'text'"),
  ),
  boxFault(
    'setting-required-text',
    'shows required as a text',
    'settings-view/4',
    asChanged('required: String(setting.required)'),
  ),
  boxFault(
    'setting-default-empty',
    'shows an empty text for a default of null',
    'setting/9',
    asChanged("default: setting.default ?? ''"),
  ),
  boxFault(
    'setting-without-default',
    'leaves the default out',
    'setting/9 settings-view/4',
    changedEntry('{ ...setting, default: undefined, value: currentValue(setting, env) }'),
  ),
  boxFault(
    'setting-without-value',
    'leaves the value out',
    'settings-view/5',
    changedEntry('{ ...setting }'),
  ),
  boxFault(
    'setting-extra-key',
    'says of each setting whether it is a secret',
    'settings-view/6',
    asChanged("secret: setting.type === 'password'"),
  ),
  boxFault(
    'view-extra-key',
    'adds the version to the view',
    'settings-view/6',
    view('    installed,\n    settings:', '    installed,\n    version: manifest.version,\n    settings:'),
  ),
  boxFault(
    'view-without-long-text',
    'leaves the long text out of the view',
    'settings-view/1',
    view('    description_long: manifest.description_long,\n', ''),
  ),
  boxFault(
    'view-plain-name',
    'shows the name as the shown name in the view',
    'settings-view/1',
    view('display_name: manifest.display_name,', 'display_name: manifest.name,'),
  ),
  boxFault(
    'view-never-installed',
    'says of every app that it is not installed',
    'settings-view/2',
    view('    installed,\n    settings:', '    installed: false,\n    settings:'),
  ),
  boxFault(
    'view-always-installed',
    'says of every app that it is installed',
    'settings-view/2',
    view('    installed,\n    settings:', '    installed: true,\n    settings:'),
  ),
  boxFault(
    'view-sorted',
    'sorts the settings by name',
    'settings-view/3',
    view('manifest.settings.map(', 'manifest.settings.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map('),
  ),
  boxFault(
    'view-only-filled',
    'shows only the settings that have a value',
    'settings-view/3',
    view('manifest.settings.map(', 'manifest.settings.filter((one) => env.has(one.name)).map('),
  ),
  boxFault(
    'view-404-for-none',
    'answers 404 for an app without settings',
    'setting/1',
    settings(
      'const env = installed ?',
      "if (app.manifest.settings.length === 0) refuse('appNotFound', { app: name });\n  const env = installed ?",
    ),
  ),
  boxFault(
    'view-other-status',
    'answers the settings view with 203',
    'getAppSettings/1',
    handlers(
      'getAppSettings: ({ name }) => ({ status: 200 as const',
      'getAppSettings: ({ name }) => ({ status: 203',
    ),
  ),
  boxFault(
    'bundled-before-installed',
    'prefers the bundled app to the installed one',
    'endpoints/8 getAppSettings/1',
    settings(
      "const app = installed ?? box.apps.one('bundled', name);",
      "const app = box.apps.one('bundled', name) ?? installed;",
    ),
  ),
  boxFault(
    'installed-only-view',
    'has a settings view of installed apps only',
    'getAppSettings/1 value/3',
    settings("installed ?? box.apps.one('bundled', name)", 'installed'),
  ),
  boxFault(
    'no-app-400',
    'answers 400 for settings of an app that is not there',
    'getAppSettings/4 getAppSettings/5 errors/7',
    refusals('appNotFound: { status: 404', 'appNotFound: { status: 400'),
  ),
  boxFault(
    'no-app-empty-view',
    'shows an empty view of an app that is not there',
    'getAppSettings/4',
    settings(
      "if (app === null) refuse('appNotFound', { app: name });",
      "if (app === null) return { name, display_name: name, description: '', description_long: '', installed: false, settings: [] };",
    ),
  ),
  boxFault(
    'broken-app-400',
    'answers 400 for settings of an app with a broken manifest',
    'getAppSettings/5',
    settings("readableManifest(place, app, 'unreadableManifest')", 'readableManifest(place, app)'),
  ),
  boxFault(
    'password-echoed',
    'shows passwords',
    'value/1 value/4',
    view("if (setting.type === 'password') return '';", ''),
  ),
  boxFault(
    'password-masked',
    'shows stars for a password that is set',
    'value/1',
    view(
      "if (setting.type === 'password') return '';",
      "if (setting.type === 'password') return env.has(setting.name) ? '********' : '';",
    ),
  ),
  boxFault(
    'password-default',
    'shows the default of a password as its value',
    'value/1',
    view(
      "if (setting.type === 'password') return '';",
      "if (setting.type === 'password') return setting.default ?? '';",
    ),
  ),
  boxFault(
    'password-null',
    'shows null for a password',
    'value/1',
    view("if (setting.type === 'password') return '';", "if (setting.type === 'password') return null;"),
  ),
  boxFault(
    'default-before-env',
    'shows the default of a setting that has a value',
    'value/2',
    view('env.get(setting.name) ?? setting.default', 'setting.default ?? env.get(setting.name)'),
  ),
  boxFault(
    'no-default-shown',
    'shows no default where there is no value',
    'value/2',
    view("?? setting.default ?? ''", "?? ''"),
  ),
  boxFault(
    'value-null',
    'shows null where there is no value',
    'value/2 settings-view/5',
    view("?? setting.default ?? ''", '?? setting.default ?? null'),
  ),
  boxFault(
    'value-of-start',
    'shows the value that a setting had when it was first asked for',
    'value/2',
    settings('const env = installed ?', 'const env = (globalThis.seen ??= {})[name] ??= installed ?'),
  ),
  boxFault(
    'value-with-quotes',
    'shows a value with the quotes that it has in .env',
    'value/2',
    view(
      'return env.get(setting.name) ??',
      'return (env.get(setting.name)?.includes(\' \') ? `"${env.get(setting.name)}"` : env.get(setting.name)) ??',
    ),
  ),
  boxFault(
    'example-not-read',
    'does not look at .env.example for starting values',
    'value/3',
    settings(': viewExample(box, app.path);', ': null;'),
  ),
  boxFault(
    'label-as-start',
    'shows the label as starting value where there is no example',
    'value/5',
    settings(
      "readDotenv(env ?? '')",
      "readDotenv(env ?? app.manifest.settings.map((one) => `${one.name}=${one.label}`).join('\\n'))",
    ),
  ),
  boxFault(
    'example-falls-in',
    'shows the value of .env.example where .env of an installed app has none',
    'value/2',
    settings(
      'box.folders.viewEnv(name)',
      "`${Buffer.from(box.folders.read('installed', name, '.env.example', 65536) ?? '')}\\n${box.folders.viewEnv(name) ?? ''}`",
    ),
  ),
  boxFault(
    'env-of-the-bundle',
    'shows the values of a .env that lies in a bundle',
    'value/3',
    settings(
      ': viewExample(box, app.path);',
      ": String(box.folders.read(app.path, '.env', 65536) ?? viewExample(box, app.path) ?? '');",
    ),
  ),
];
