// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what stands in these texts is source.
import { type BoxFault, boxFault, inFile } from './box-fault.ts';

const install = inFile('box/apps/install.ts');
const files = inFile('box/adapters/files/install-files.ts');
const refusals = inFile('box/refusals.ts');
const reconcile = inFile('box/reconcile/reconcile.ts');

const refusing = 'if (listing === null) refusePlaceholders(box, name, placeholders);';

/** Placeholders, and installing again. */
export const reinstallFaults: readonly BoxFault[] = [
  boxFault(
    'placeholders-pass',
    'installs with placeholders left',
    'installApp/8 service/16',
    install(
      "const placeholders = placeholderKeys(readDotenv(env.after ?? env.before ?? ''), source.manifest.settings);",
      'const placeholders = [];',
    ),
    reconcile('placeholders.length === 0 ? null :', 'true ? null :'),
  ),
  boxFault(
    'placeholder-409',
    'answers placeholders with 409',
    'installApp/8 errors/6',
    refusals('placeholderLeft: {\n    status: 400', 'placeholderLeft: {\n    status: 409'),
  ),
  boxFault(
    'placeholder-207',
    'answers placeholders with 207',
    'installApp/8 service/16',
    install(
      refusing,
      "if (listing === null) return { path: box.folders.path(name), actions: [{ kind: 'error', target: name, detail: 'placeholders' }] };",
    ),
  ),
  boxFault(
    'placeholder-before-copy',
    'refuses placeholders before it copies',
    'service/20 states/4',
    install(
      '  const done = source.isInstalled',
      '  if (placeholders.length > 0) refusePlaceholders(box, name, placeholders);\n  const done = source.isInstalled',
    ),
  ),
  boxFault(
    'placeholder-removes',
    'removes the app again that it refuses for placeholders',
    'service/20 states/4',
    install(
      refusing,
      `if (listing === null && !source.isInstalled) await box.trash.put(name);\n  ${refusing}`,
    ),
  ),
  boxFault(
    'placeholder-started',
    'starts the app that it refuses for placeholders',
    'states/3 service/16',
    install(refusing, `if (listing === null) await reconcile(box, name);\n  ${refusing}`),
    reconcile('placeholders.length === 0 ? null :', 'true ? null :'),
  ),
  boxFault(
    'placeholder-without-env',
    'leaves no .env of an app that it refuses for placeholders',
    'service/20',
    install(
      refusing,
      `if (listing === null) require('node:fs').rmSync(\`\${box.folders.path(name)}/.env\`, { force: true });\n  ${refusing}`,
    ),
  ),
  boxFault(
    'placeholder-of-example',
    'looks for placeholders in the example, whatever the settings fill in',
    'post-rules/2',
    install(
      "placeholderKeys(readDotenv(env.after ?? env.before ?? ''), source",
      "placeholderKeys(readDotenv(readExample(box, source.from, name) ?? ''), source",
    ),
  ),
  boxFault(
    'placeholder-before-write',
    'refuses placeholders before it writes the settings',
    'post-rules/2',
    install(
      refusing,
      `if (listing === null) await box.folders.writeEnv(name, readExample(box, source.from, name) ?? '');\n  ${refusing}`,
    ),
  ),
  boxFault(
    'mended-env-overwritten',
    'puts the example over a .env that the owner mended',
    'service/21 states/5',
    install("const base = before ?? example ?? '';", "const base = example ?? before ?? '';"),
  ),
  boxFault(
    'no-second-install',
    'refuses to install an installed app',
    'states/5 service/21',
    install(
      'const values = settingValues(request.settings, source.manifest);',
      "if (source.isInstalled) refuse('unknownApp', { app: name });\n  const values = settingValues(request.settings, source.manifest);",
    ),
  ),
  boxFault(
    'reinstall-keeps-files',
    'leaves the files of before at a reinstall',
    'states/5',
    files(
      'await refreshFiles(places, name, source, plan, env);',
      'await refreshFiles(places, name, source, { ...plan, steps: [] }, env);',
    ),
  ),
  boxFault(
    'reinstall-without-settings',
    'does not write the settings of a reinstall',
    'states/5',
    install(
      'await box.installFiles.refresh(name, source, plan, env.after);',
      'await box.installFiles.refresh(name, source, plan, null);',
    ),
  ),
  boxFault(
    'reinstall-loses-env',
    'makes the .env of a reinstall from the example again',
    'states/5',
    install('const before = isInstalled ? envToChange(box, name) : null;', 'const before = null;'),
  ),
];
