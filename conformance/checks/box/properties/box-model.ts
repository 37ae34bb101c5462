/**
 * A box as plain data, as the requirements describe it: the app folders, their `.env`, their containers, and the result
 * of every request. Labels replace app names, which the test driver keeps. Where the requirements leave a result open,
 * the model says `open`, and the check ignores it.
 */
export type BoxModel = {
  /** The content of the bundled-apps directory. */
  bundled: Readonly<Record<string, Bundle>>;
  /** The apps with a folder in the installed-apps directory. */
  installed: Readonly<Record<string, ModelApp>>;
  /** The containers of each app that was ever installed. */
  running: Readonly<Record<string, Running>>;
  /** The box has started, and may not have finished the reconcile of its start. */
  starting: boolean;
};

export type Values = Readonly<Record<string, string>>;

/** `example` is the `.env.example`. A release determines the version and the image. */
export type Bundle = { example: Values; release: number };

/**
 * `refused`: an install failed because of a placeholder, so the owner has to edit `.env`. `unreadable`: the owner broke
 * the manifest. `unstartable`: the owner broke the Compose file.
 */
export type ModelApp = { condition: 'whole' | 'refused' | 'unreadable' | 'unstartable'; env: Values; release: number };

/** A container has the values and files of the time when it was created. */
export type Running = Made | 'open' | 'nothing';
type Made = { env: Values; release: number };

export type Submitted = Readonly<Record<string, string | number | null>>;

/** Requests, and manual changes by an owner or packager. `newer`: the registry has a newer image. */
export type Command =
  | { act: 'install' | 'change'; app: string; settings: Submitted }
  | { act: 'update'; app: string; newer: boolean }
  | { act: 'remove'; app: string }
  | { act: 'restart' }
  | ByHand;

export type ByHand =
  | { act: 'edit env'; app: string; key: string; value: string }
  | { act: 'delete container' | 'delete folder' | 'break manifest' | 'break compose'; app: string }
  | { act: 'new release'; app: string };

/** The statuses that the requirements allow. Empty for a manual change. */
export type ModelStep = { allowed: number[]; after: BoxModel };

/** All apps are bundled. The placed apps are installed by hand and not started. */
export const boxWith = (examples: Readonly<Record<string, Values>>, placed: readonly string[]): BoxModel => ({
  bundled: Object.fromEntries(Object.entries(examples).map(([app, example]) => [app, { example, release: 1 }])),
  installed: Object.fromEntries(
    placed.map((app) => [app, { condition: 'whole', env: examples[app] ?? {}, release: 1 }]),
  ),
  running: Object.fromEntries(placed.map((app) => [app, 'open'])),
  starting: true,
});

/** A placeholder that every implementation recognises. */
export const placeholder = 'changeme';

const runningOf = (model: BoxModel, app: string): Running => model.running[app] ?? 'nothing';

const isInLine = (running: Running, { env, release }: ModelApp): boolean =>
  typeof running === 'object' &&
  running.release === release &&
  Object.keys({ ...env, ...running.env }).every((key) => env[key] === running.env[key]);

/** Whether the requirements define the result of a command. */
export function isDecided(model: BoxModel, command: Command): boolean {
  if (command.act === 'restart') return true;
  const app = model.installed[command.app];
  switch (command.act) {
    case 'install':
      return app?.condition !== 'unreadable';
    case 'remove':
      return true;
    case 'change': {
      if (app === undefined) return true;
      const isPlain = !Object.values({ ...app.env, ...textsOf(command.settings) }).includes(placeholder);
      return isPlain && (app.condition === 'whole' || app.condition === 'unstartable');
    }
    case 'update':
      // An update may also bring a newer version of the app. The requirements only mention images.
      return app === undefined || (isSettled(model, command.app, app) && !hasNewerVersion(model, command.app));
    case 'delete container':
      return typeof runningOf(model, command.app) === 'object';
    case 'new release':
      return model.bundled[command.app] !== undefined;
    case 'break manifest':
    case 'break compose':
      return app?.condition === 'whole';
    case 'edit env':
    case 'delete folder':
      return app !== undefined;
  }
}

function isSettled(model: BoxModel, name: string, { condition }: ModelApp): boolean {
  return condition === 'whole' && runningOf(model, name) !== 'open';
}

function hasNewerVersion({ bundled, installed }: BoxModel, name: string): boolean {
  return Number(bundled[name]?.release) > Number(installed[name]?.release);
}

/** `null` is the empty text. */
const textsOf = (settings: Submitted): Values =>
  Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, String(value ?? '')]));

export function step(model: BoxModel, command: Command): ModelStep {
  if (command.act === 'restart') return { allowed: [], after: { ...loosen(model), starting: true } };
  const { app: name } = command;
  const app = model.installed[name];
  const refuse = (...allowed: number[]): ModelStep => ({ allowed, after: model });
  switch (command.act) {
    case 'install':
      return install(model, name, textsOf(command.settings));
    case 'change': {
      if (app === undefined) return refuse(404);
      const env = { ...app.env, ...textsOf(command.settings) };
      return reconcile(put(model, name, { ...app, env }));
    }
    case 'update':
      return app === undefined ? refuse(404) : { allowed: [200], after: update(model, name) };
    case 'remove': {
      if (app === undefined) return refuse(404);
      const left = app.condition === 'unstartable' ? 'open' : 'nothing';
      return { allowed: [200], after: runs(loosen(take(model, name)), name, left) };
    }
    default: {
      const after = byHand(model, command);
      return { allowed: [], after: model.starting ? loosen(after) : after };
    }
  }
}

function install(model: BoxModel, name: string, settings: Values): ModelStep {
  const bundle = model.bundled[name];
  if (bundle === undefined) return { allowed: [400], after: model };
  const env = { ...(model.installed[name]?.env ?? bundle.example), ...settings };
  const { release } = bundle;
  if (!Object.values(env).includes(placeholder))
    return reconcile(put(model, name, { condition: 'whole', env, release }));
  const after = put(model, name, { condition: 'refused', env, release });
  return { allowed: [400], after: runs(after, name, 'open') };
}

/** Reconciles every app whose result the requirements define. */
function reconcile(model: BoxModel): ModelStep {
  const apps = Object.entries(model.installed);
  const made = apps.map(([name, { condition, env, release }]): [string, Running] => [
    name,
    condition === 'whole' ? { env, release } : 'open',
  ]);
  const conditions = new Set(apps.map(([, { condition }]) => condition));
  const mayFail = conditions.has('refused') || conditions.has('unreadable');
  const allowed = conditions.has('unstartable') ? [207] : mayFail ? [200, 207] : [200];
  const running = { ...model.running, ...Object.fromEntries(made) };
  return { allowed, after: { ...model, running, starting: false } };
}

/** A recreated container only has another image. Whether an update creates missing containers is open. */
function update(model: BoxModel, name: string): BoxModel {
  const after = loosen(model);
  return runningOf(model, name) === 'nothing' ? runs(after, name, 'open') : after;
}

/** A container that differs from its files may be reconciled earlier than required. */
function loosen(model: BoxModel): BoxModel {
  const pending = Object.entries(model.installed).filter(([name, app]) => !isInLine(runningOf(model, name), app));
  const open = pending.map(([name]): [string, Running] => [name, 'open']);
  return { ...model, running: { ...model.running, ...Object.fromEntries(open) } };
}

function byHand(model: BoxModel, command: ByHand): BoxModel {
  const { act, app: name } = command;
  const bundle = model.bundled[name];
  const app = model.installed[name];
  if (act === 'new release')
    return bundle === undefined
      ? model
      : {
          ...model,
          bundled: { ...model.bundled, [name]: { ...bundle, release: bundle.release + 1 } },
        };
  if (act === 'delete container') return runs(model, name, 'nothing');
  if (app === undefined) return model;
  switch (act) {
    case 'edit env':
      return put(model, name, { ...app, env: { ...app.env, [command.key]: command.value } });
    case 'delete folder':
      return runs(take(model, name), name, 'open');
    case 'break manifest':
      return put(model, name, { ...app, condition: 'unreadable' });
    case 'break compose':
      return put(model, name, { ...app, condition: 'unstartable' });
  }
}

const put = (model: BoxModel, name: string, app: ModelApp): BoxModel => ({
  ...model,
  installed: { ...model.installed, [name]: app },
});

function take(model: BoxModel, name: string): BoxModel {
  const { [name]: _gone, ...installed } = model.installed;
  return { ...model, installed };
}

const runs = (model: BoxModel, name: string, running: Running): BoxModel => ({
  ...model,
  running: { ...model.running, [name]: running },
});
