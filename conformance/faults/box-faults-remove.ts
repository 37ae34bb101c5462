// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what stands in these texts is source.
import { type BoxFault, boxFault, inFile } from './box-fault.ts';

const remove = inFile('box/apps/remove.ts');
const handlers = inFile('box/handlers.ts');
const refusals = inFile('box/refusals.ts');
const compose = inFile('box/adapters/docker/compose.ts');

const answered = 'body: { removed: name, compose_warning: warning }';
const put = 'const entry = await box.trash.put(name);';
const order =
  '  const warning = await bringDown(box, name);\n  const shown = warning === null ? null : fitToShow(box, warning);\n  await throwAway(box, name, warning === null);';

/** Removing an app. */
export const removeFaults: readonly BoxFault[] = [
  boxFault(
    'remove-extra-key',
    'adds ok to the answer of a remove',
    'removeApp/1',
    handlers(answered, 'body: { removed: name, compose_warning: warning, ok: true }'),
  ),
  boxFault(
    'remove-202',
    'answers a remove with 202',
    'removeApp/1 errors/3',
    handlers('return { status: 200 as const, body: { removed', 'return { status: 202, body: { removed'),
  ),
  boxFault(
    'remove-207-for-warning',
    'answers a remove with a warning with 207',
    'removeApp/1 errors/3',
    handlers(
      'return { status: 200 as const, body: { removed',
      'return { status: warning === null ? 200 : 207, body: { removed',
    ),
  ),
  boxFault(
    'removed-true',
    'answers true for the name of the removed app',
    'removeApp/2',
    handlers(answered, 'body: { removed: true, compose_warning: warning }'),
  ),
  boxFault(
    'removed-path',
    'answers the path of the removed app',
    'removeApp/2',
    handlers(answered, 'body: { removed: box.folders.path(name), compose_warning: warning }'),
  ),
  boxFault(
    'warning-empty',
    'answers an empty warning where there is none',
    'removeApp/3',
    handlers(answered, "body: { removed: name, compose_warning: warning ?? '' }"),
  ),
  boxFault(
    'warning-left-out',
    'leaves the warning out where there is none',
    'removeApp/1 removeApp/3',
    handlers(
      answered,
      'body: warning === null ? { removed: name } : { removed: name, compose_warning: warning }',
    ),
  ),
  boxFault(
    'warning-true',
    'answers true for the text of a warning',
    'removeApp/3 post-rules/11',
    handlers(answered, 'body: { removed: name, compose_warning: warning === null ? null : true }'),
  ),
  boxFault(
    'warning-swallowed',
    'says nothing of containers that could not be brought down',
    'post-rules/11 removeApp/3',
    handlers(answered, 'body: { removed: name, compose_warning: null }'),
  ),
  boxFault(
    'warning-says-nothing',
    'warns without saying what went wrong',
    'post-rules/11',
    handlers(answered, "body: { removed: name, compose_warning: warning === null ? null : '' }"),
  ),
  boxFault(
    'remove-absent-200',
    'answers the remove of an app that is not there with 200',
    'removeApp/5 errors/7',
    handlers(
      'const warning = await removeApp(box, name);',
      'const warning = await removeApp(box, name).catch((error) => { if (error.status === 404) return null; throw error; });',
    ),
  ),
  boxFault(
    'remove-bundled',
    'removes the bundled app where none is installed',
    'removeApp/5',
    remove(
      "if (!isThere) refuse('appNotInstalled', { app: name });",
      "if (!isThere && box.folders.list('bundled').some((entry) => entry.name === name)) require('node:fs').rmSync(`${box.installedApps}/../bundled/${name}`, { recursive: true, force: true });\n  if (!isThere) refuse('appNotInstalled', { app: name });",
    ),
  ),
  boxFault(
    'delete-fails-502',
    'answers 502 when the directory cannot be deleted',
    'removeApp/6 errors/9',
    refusals('deleteFailed: { status: 500', 'deleteFailed: { status: 502'),
  ),
  boxFault(
    'delete-fails-200',
    'answers 200 when the directory cannot be deleted',
    'removeApp/6 errors/9',
    remove("refuse('deleteFailed', { app: name, reason: error.message });", 'return;'),
  ),
  boxFault(
    'containers-stay',
    'leaves the containers of a removed app running',
    'service/22 states/8',
    remove('    await box.containers.down(compose);\n    return null;', '    return null;'),
  ),
  boxFault(
    'containers-only-stopped',
    'only stops the containers of a removed app',
    'service/22 states/8',
    compose(
      "composeArguments(project, ['down', '--remove-orphans']);",
      "composeArguments(project, ['stop']);",
    ),
  ),
  boxFault(
    'directory-stays',
    'leaves the directory of a removed app',
    'service/23 states/8',
    remove(put, 'return;'),
  ),
  boxFault(
    'directory-emptied',
    'leaves an empty directory of a removed app',
    'service/23 states/8',
    remove(put, `${put}\n    require('node:fs').mkdirSync(box.folders.path(name));`),
  ),
  boxFault(
    'deleted-before-down',
    'deletes the directory before it brings the project down',
    'service/23 service/22',
    remove(
      order,
      '  await throwAway(box, name, false);\n  const warning = await bringDown(box, name);\n  const shown = warning === null ? null : fitToShow(box, warning);',
    ),
  ),
  boxFault(
    'all-containers-removed',
    'removes the containers of all apps',
    'service/22',
    remove(
      '    await box.containers.down(compose);\n    return null;',
      '    await box.containers.down(compose);\n    await box.containers.removeContainers(containers.filter((one) => one.project !== compose.project).map(({ id }) => id));\n    return null;',
    ),
  ),
  boxFault(
    'neighbours-by-beginning',
    'deletes every directory whose name begins like that of the app',
    'service/23',
    remove(
      put,
      `for (const other of box.folders.list('installed')) if (other.name !== name && other.name.startsWith(name)) await box.trash.put(other.name);\n    ${put}`,
    ),
  ),
  boxFault(
    'broken-stays',
    'refuses to remove an app whose manifest cannot be read',
    'states/8 service/23',
    remove('if (!isThere) refuse(', "if (!isThere || !box.apps.one('installed', name)?.manifest) refuse("),
  ),
  boxFault(
    'removed-not-available',
    'takes a removed app out of the bundle',
    'states/9',
    remove(
      put,
      `${put}\n    require('node:fs').rmSync(\`\${box.installedApps}/../bundled/\${name}\`, { recursive: true, force: true });`,
    ),
  ),
  boxFault(
    'failed-down-502',
    'answers 502 when the project cannot be brought down',
    'post-rules/5 removeApp/1',
    remove(
      '    return faultText(box, error);\n  }\n}\n\nasync function downByFile(',
      "    refuse('containerToolFailed', { reason: faultText(box, error) });\n  }\n}\n\nasync function downByFile(",
    ),
  ),
  boxFault(
    'failed-down-keeps',
    'keeps the directory of a project that cannot be brought down',
    'post-rules/5',
    remove(
      'await throwAway(box, name, warning === null);',
      'if (warning === null) await throwAway(box, name, true);',
    ),
  ),
  boxFault(
    'trash-kept',
    'keeps removed apps whatever it is told',
    'process/8',
    remove('if (box.keepRemovedDays > 0) return;', 'if (box.keepRemovedDays >= 0) return;'),
  ),
  boxFault(
    'trash-condemned-only',
    'never erases what it need not keep',
    'process/8',
    remove('    await box.trash.eraseCondemned();\n', ''),
  ),
  boxFault(
    'warning-of-its-own',
    'says that something went wrong in words of its own',
    'post-rules/11',
    remove('fitToShow(box, warning)', "'the containers could not be brought down'"),
  ),
  boxFault(
    'removes-with-a-manifest-only',
    'does not remove a directory without a manifest',
    'states/8',
    remove(
      'if (!isThere) refuse',
      "if (!isThere || box.folders.stamp('installed', name, 'manifest.json') === null) refuse",
    ),
  ),
];
