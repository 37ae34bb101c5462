// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what stands in these texts is source.
import { type BoxFault, boxFault, inFile } from './box-fault.ts';

const install = inFile('box/apps/install.ts');
const handlers = inFile('box/handlers.ts');
const reconcile = inFile('box/reconcile/reconcile.ts');
const plan = inFile('box/rules/reconcile/reconcile-plan.ts');
const carryOut = inFile('box/reconcile/carry-out.ts');
const compose = inFile('box/adapters/docker/compose.ts');
const composeFile = inFile('box/rules/compose/compose-file.ts');

const upStep = "    case 'up':";

/** Bringing apps in line. */
export const reconcileFaults: readonly BoxFault[] = [
  boxFault(
    'only-own-app',
    'brings only the app in line that is acted on',
    'service/17 post-rules/10',
    reconcile(
      "const apps = box.apps.all('installed');",
      "const apps = box.apps.all('installed').filter(({ name }) => first === null || name === first);",
    ),
  ),
  boxFault(
    'others-only-looked-at',
    'starts other apps only when nothing is known of them',
    'service/17 service/18',
    plan(
      'const cause = isDown ? null : causeForUp(app, own, isLeft);',
      'const cause = isDown || app.lastContainers.length > 0 ? null : causeForUp(app, own, isLeft);',
    ),
  ),
  boxFault(
    'change-not-noticed',
    'leaves an app alone whose files changed',
    'service/18 post-rules/10',
    plan("if (app.succeeded !== app.digest) return 'its Compose file or .env changed';", ''),
  ),
  boxFault(
    'stopped-not-noticed',
    'leaves stopped containers stopped',
    'service/18',
    plan('return stopped === undefined ? null :', 'return true ? null :'),
  ),
  boxFault(
    'nothing-started',
    'says that it started apps and starts none',
    'service/18 states/2 process/17',
    compose(
      'const { stdout, stderr } = await change(args, limits.changeMs, project.directory);\n      return `${stdout}\\n${stderr}`;',
      'return ` Container ${project.project}-web-1  Started\\n`;',
    ),
  ),
  boxFault(
    'failure-stops-others',
    'brings no further app in line once one failed',
    'service/19',
    carryOut('const atATime = 4;', 'const atATime = 1;'),
    carryOut(upStep, `${upStep}\n      if ([...succeeded.values()].includes(null)) return [];`),
  ),
  boxFault(
    'failure-throws',
    'gives up with 502 when an app fails',
    'service/19 installApp/2 updateAppSettings/2 post-rules/4',
    carryOut(
      "    return [{ kind: 'error', target: app, detail }];",
      "    const { refuse } = require_refusals(); refuse('containerToolFailed', { reason: 'x' });",
    ),
    carryOut(
      "import { listContainers } from './listing.ts';",
      "import { listContainers } from './listing.ts';\nimport { refuse as refuseAll } from './refusals.ts';\nconst require_refusals = () => ({ refuse: refuseAll });",
    ),
  ),
  boxFault(
    'failure-undoes-install',
    'takes an app away again whose containers fail',
    'states/2 installApp/2',
    install(
      'return { path: box.folders.path(name), actions: [...done, ...(await reconcile(box, name, listing))] };',
      "const actions = [...done, ...(await reconcile(box, name, listing))];\n  if (actions.some((one) => one.kind === 'error' && one.target === name)) await box.trash.put(name);\n  return { path: box.folders.path(name), actions };",
    ),
  ),
  boxFault(
    'own-failure-200',
    'answers 200 when only the own app could not be started',
    'installApp/2 post-rules/4',
    handlers(
      'const { path, actions } = await installApp(box, { name, settings: settings ?? {} });',
      "const { path, actions: all } = await installApp(box, { name, settings: settings ?? {} });\n      const actions = all.map((one) => (one.kind === 'error' && one.target === name ? { ...one, kind: 'warn' } : one));",
    ),
  ),
  boxFault(
    'other-failure-200',
    'answers 200 when only another app could not be started',
    'installApp/2 post-rules/4 errors/5',
    handlers(
      'const { path, actions } = await installApp(box, { name, settings: settings ?? {} });',
      "const { path, actions: all } = await installApp(box, { name, settings: settings ?? {} });\n      const actions = all.map((one) => (one.kind === 'error' && one.target !== name ? { ...one, kind: 'warn' } : one));",
    ),
  ),
  boxFault(
    'change-of-others-200',
    'answers a change with 200 when only another app could not be started',
    'updateAppSettings/2 post-rules/4 errors/5',
    handlers(
      'const actions = await updateAppSettings(box, { name, settings });',
      "const actions = (await updateAppSettings(box, { name, settings })).map((one) => (one.kind === 'error' && one.target !== name ? { ...one, kind: 'warn' } : one));",
    ),
  ),
  boxFault(
    'docker-elsewhere',
    'looks for docker in a place of its own',
    'process/17',
    compose("runCommand(['docker', ...args]", "runCommand(['/opt/docker/bin/docker', ...args]"),
  ),
  ...(['compose.yml', 'docker-compose.yml', 'docker-compose.yaml'] as const).map((name) =>
    boxFault(
      `without-${name.replace('.', '-')}`,
      `does not know ${name}`,
      'process/19',
      composeFile(`  '${name}',\n`, ''),
    ),
  ),
  boxFault(
    'without-compose-yaml',
    'does not know compose.yaml',
    'process/19',
    composeFile("  'compose.yaml',\n", ''),
  ),
  boxFault(
    'project-with-prefix',
    'gives projects names of its own',
    'process/20',
    composeFile('named || projectOfDirectory(directoryName)', 'named || `box-${directoryName}`'),
  ),
  boxFault(
    'own-failure-ends-it',
    'leaves the others as they are when the app that was asked for cannot be brought in line',
    'service/19',
    carryOut(
      '  const actions = await inParallel(steps, atATime,',
      "  const first = await Promise.all(steps.slice(0, 1).map((step) => carryOutStep(box, step, scene, succeeded)));\n  if (first.flat().some(({ kind }) => kind === 'error')) return { actions: first.flat(), succeeded };\n  const actions = await inParallel(steps, atATime,",
    ),
  ),
];
