// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what stands in these texts is source.
import { type BoxFault, boxFault, breaking, inFile } from './box-fault.ts';

const settings = inFile('box/apps/settings.ts');
const values = inFile('box/rules/dotenv/setting-values.ts');
const envFile = inFile('box/apps/env-file.ts');
const handlers = inFile('box/handlers.ts');
const refusals = inFile('box/refusals.ts');
const dotenv = inFile('box/rules/dotenv/dotenv.ts');

const merged = 'const after = mergeDotenv(before, values);';

/** Changing settings. */
export const changeFaults: readonly BoxFault[] = [
  boxFault(
    'change-extra-key',
    'adds the settings to the answer of a change',
    'updateAppSettings/1',
    handlers(
      'body: { updated: name, actions }',
      'body: { updated: name, actions, settings: Object.keys(settings) }',
    ),
  ),
  boxFault(
    'change-202',
    'answers a change with 202',
    'updateAppSettings/1',
    handlers(
      'return { status: reconciled(actions), body: { updated: name, actions } };',
      'return { status: 202, body: { updated: name, actions } };',
    ),
  ),
  boxFault(
    'change-says-true',
    'answers true for the name of the changed app',
    'updateAppSettings/3',
    handlers('body: { updated: name, actions }', 'body: { updated: true, actions }'),
  ),
  boxFault(
    'change-counts-actions',
    'answers the number of actions',
    'updateAppSettings/4',
    handlers('body: { updated: name, actions }', 'body: { updated: name, actions: actions.length }'),
  ),
  boxFault(
    'actions-without-detail',
    'leaves the detail out of actions',
    'action/1',
    handlers(
      'return hasError(actions) ? 207 : 200;',
      'const found = hasError(actions); for (const one of actions) delete one.detail; return found ? 207 : 200;',
    ),
  ),
  boxFault(
    'actions-extra-key',
    'adds a time to actions',
    'action/1 installApp/4 updateAppSettings/4',
    handlers(
      'return hasError(actions) ? 207 : 200;',
      'const found = hasError(actions); for (const one of actions) one.at = 0; return found ? 207 : 200;',
    ),
  ),
  boxFault(
    'always-200',
    'answers 200 although an app could not be reconciled',
    'updateAppSettings/2 installApp/2 post-rules/4 errors/5',
    handlers('hasError(actions) ? 207 : 200', '200'),
  ),
  boxFault(
    'always-207',
    'answers 207 although every app was reconciled',
    'updateAppSettings/1 installApp/1 post-rules/4',
    handlers('hasError(actions) ? 207 : 200', '207'),
  ),
  boxFault(
    'failed-reconcile-502',
    'answers 502 when an app could not be reconciled',
    'updateAppSettings/2 installApp/2 post-rules/4 errors/5',
    handlers('return hasError(actions) ? 207 : 200;', 'return hasError(actions) ? 502 : 200;'),
  ),
  boxFault(
    '207-without-actions',
    'leaves the actions out of a 207',
    'updateAppSettings/2',
    handlers(
      'body: { updated: name, actions }',
      'body: hasError(actions) ? { updated: name } : { updated: name, actions }',
    ),
  ),
  boxFault(
    'change-needs-no-install',
    'takes settings of an app that is only bundled',
    'updateAppSettings/10',
    settings(
      '  const app = refuseNotInstalled(box, name);',
      "  const app = isAppName(name) ? (box.apps.one('installed', name) ?? box.apps.one('bundled', name)) : null;\n  if (app === null) refuse('appNotInstalled', { app: name });",
    ),
  ),
  boxFault(
    'not-installed-400',
    'answers 400 for an app that is not installed',
    'updateAppSettings/10 updateApp/5 removeApp/5 errors/7',
    refusals('appNotInstalled: { status: 404', 'appNotInstalled: { status: 400'),
  ),
  boxFault(
    'refused-values-422',
    'answers values that it refuses with 422',
    'updateAppSettings/11 installApp/9 errors/6',
    refusals('invalidValues: { status: 400', 'invalidValues: { status: 422'),
  ),
  boxFault(
    'bad-values-skipped',
    'leaves out the values that it cannot write, and goes on',
    'updateAppSettings/11 installApp/9',
    values(
      '    if (text === null || problem !== null)\n      return { ok: false, problem: `setting ${shown(name)}: ${problem}` };',
      '    if (text === null || problem !== null) continue;',
    ),
  ),
  boxFault(
    'control-characters-cut',
    'cuts control characters out of values',
    'updateAppSettings/11 installApp/9',
    values('if (unwritable.test(text)) return', 'if (false) return'),
    values(
      '    values.set(name, text);',
      "    values.set(name.replaceAll(/[^A-Za-z0-9_]/g, '_') || '_', text.replace(unwritable, ''));",
    ),
    values('if (!key.test(name)) return', 'if (false) return'),
  ),
  boxFault(
    'written-before-refused',
    'writes .env before it refuses the values',
    'updateAppSettings/11',
    settings(
      'const values = settingValues(settings, manifest);',
      "require('node:fs').writeFileSync(`${box.folders.path(name)}/.env`, 'SEEN=1\\n');\n  const values = settingValues(settings, manifest);",
    ),
  ),
  boxFault(
    'required-enforced',
    'refuses an install or a change without a required setting',
    'setting/7',
    envFile(
      'if (!coerced.ok) refuse(',
      "const left = manifest.settings.find((one) => one.required && (settings[one.name] ?? '') === '');\n  if (left) refuse('invalidValues', { reason: `${left.name} is required` });\n  if (!coerced.ok) refuse(",
    ),
  ),
  boxFault(
    'required-not-empty',
    'refuses an empty value for a required setting',
    'setting/7',
    envFile(
      'if (!coerced.ok) refuse(',
      "const left = manifest.settings.find((one) => one.required && settings[one.name] === '');\n  if (left) refuse('invalidValues', { reason: `${left.name} is required` });\n  if (!coerced.ok) refuse(",
    ),
  ),
  boxFault(
    'null-as-word',
    'writes null as a word',
    'post-rules/1',
    values("if (value === null) return '';", "if (value === null) return 'null';"),
  ),
  boxFault(
    'null-skipped',
    'leaves the old value where null is submitted',
    'post-rules/1',
    values(
      '    if (text === null || problem !== null)',
      '    if (value === null) continue;\n    if (text === null || problem !== null)',
    ),
  ),
  boxFault(
    'numbers-with-fraction',
    'writes numbers with a fraction',
    'post-rules/1',
    values('? String(value) : null;', '? value.toFixed(1) : null;'),
  ),
  boxFault(
    'numbers-refused',
    'refuses values that are no texts',
    'post-rules/1',
    values(
      "if (typeof value === 'number') return Number.isFinite(value) ? String(value) : null;",
      "if (typeof value === 'number') return null;",
    ),
  ),
  boxFault(
    'blanks-cut',
    'cuts blanks off values',
    'choice/box/77',
    values('values.set(name, text);', 'values.set(name, text.trim());'),
  ),
  breaking(
    boxFault(
      'dollar-not-escaped',
      'writes a dollar so that Compose takes it for a variable',
      'choice/box/77',
      dotenv('/[\\\\"$]/g', '/[\\\\"]/g'),
    ),
  ),
  boxFault(
    'backslash-not-escaped',
    'writes backslashes so that Compose takes them for escapes',
    'choice/box/77',
    dotenv('/[\\\\"$]/g', '/["$]/g'),
  ),
  breaking(
    boxFault(
      'never-quoted',
      'writes no quotes around values',
      'choice/box/77',
      dotenv('needsNoQuotes(value) ? value : quoted(value)', "value.replaceAll('\\n', ' ')"),
    ),
  ),
  boxFault(
    'other-keys-lost',
    'writes only the submitted keys',
    'post-rules/3 states/6',
    settings(merged, "const after = mergeDotenv('', values);"),
  ),
  boxFault(
    'passwords-lost',
    'drops a password that is not submitted again',
    'post-rules/3',
    settings(
      merged,
      "const after = mergeDotenv(before, new Map([...app.manifest.settings.filter((one) => one.type === 'password').map((one) => [one.name, '']), ...values]));",
    ),
  ),
  boxFault(
    'only-known-keys-change',
    'changes keys that are in .env and adds none',
    'post-rules/3',
    settings(
      merged,
      'const after = mergeDotenv(before, new Map([...values].filter(([key]) => readDotenv(before).has(key))));',
    ),
  ),
  boxFault(
    'neighbours-changed',
    "writes the values into every other app's .env too",
    'post-rules/3',
    settings(
      ', after));\n',
      ", after));\n      for (const other of box.folders.list('installed')) if (other.name !== request.name) await box.folders.writeEnv(other.name, after);\n",
    ),
  ),
  boxFault(
    'change-not-written',
    'answers a change and writes nothing',
    'post-rules/3 states/6',
    settings('(await box.folders.writeEnv(request.name, after))', 'false'),
  ),
  boxFault(
    'change-without-reconcile',
    'writes a change and brings nothing in line',
    'post-rules/10 states/6 service/18',
    settings('...(await reconcile(box, request.name, listing))', '...[]'),
  ),
  boxFault(
    'password-in-action',
    'tells the written values in an action',
    'value/4',
    settings(
      "const detail = '.env written: the submitted settings merged in';",
      'const detail = `.env written: ${JSON.stringify(request.settings)}`;',
    ),
  ),
  boxFault(
    'env-in-actions',
    'tells an installed .env in an action of an install',
    'value/4',
    inFile('box/apps/install.ts')(
      'detail: `.env written: ${detail}` }]',
      'detail: `.env written: ${after}` }]',
    ),
  ),
];
