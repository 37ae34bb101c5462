import { ensure, equal, list, record, status } from '../../../kernel/expect.ts';
import { containersOf, env } from '../disk.ts';
import type { Values } from './box-model.ts';
import { examples, imageOf, labels, type ModelSession, versionOf } from './model-apps.ts';

/** Verifies that disk, engine and API agree with the model, except where the model says `open`. */
export async function verifyAgreement(session: ModelSession): Promise<void> {
  const { box, model, nameOf } = session;
  await agreeOnLists(session);
  for (const label of labels) {
    const name = nameOf(label);
    const app = model.installed[label];
    await agreeOnView(session, label);
    if (app !== undefined && Object.keys(app.env).length > 0)
      agreeOnValues(`.env of ${label}`, env(box, name), app.env);
    const running = model.running[label] ?? 'nothing';
    if (running === 'open') continue;
    const containers = await containersOf(box, name);
    equal(`containers of ${label}`, containers.length, running === 'nothing' ? 0 : 1);
    const [container] = containers;
    if (running === 'nothing' || container === undefined) continue;
    ensure(`the container of ${label} runs`, container.running);
    equal(`the image of ${label}`, container.image, imageOf(name, running.release));
    const hasFile = Object.keys(examples[label] ?? {}).length > 0;
    agreeOnValues(`environment of ${label}`, container.env, hasFile ? running.env : readAlone(running.env));
  }
}

/** The values that the app without an example reads. Its `.env` may have defaults that were not submitted. */
const readAlone = ({ GREETING }: Values): Values => (GREETING === undefined ? {} : { GREETING });

function agreeOnValues(what: string, found: Values, expected: Values) {
  const keys = Object.keys(expected);
  equal(what, Object.fromEntries(keys.map((key) => [key, found[key]])), expected);
}

async function agreeOnLists({ box, model, nameOf }: ModelSession): Promise<void> {
  const entries = list(await box.get('/api/apps'));
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  equal('the installed apps', [...byName.keys()].sort(), Object.keys(model.installed).map(nameOf).sort());
  equal('an entry for each', entries.length, byName.size);
  for (const [label, { condition, release }] of Object.entries(model.installed)) {
    const entry = byName.get(nameOf(label)) ?? {};
    if (condition === 'unreadable') equal(`ok of ${label}`, entry.ok, false);
    if (condition === 'whole') equal(`version of ${label}`, entry.version, versionOf(release));
  }
  const isOpen = (label: string) => ['refused', 'unreadable'].includes(model.installed[label]?.condition ?? '');
  const available = list(await box.get('/api/bundled')).map((entry) => String(entry.name));
  const expected = Object.keys(model.bundled).filter((label) =>
    isOpen(label) ? available.includes(nameOf(label)) : model.installed[label] === undefined,
  );
  equal('the available apps, sorted', available, expected.map(nameOf).sort());
}

async function agreeOnView({ box, model, nameOf }: ModelSession, label: string): Promise<void> {
  const app = model.installed[label];
  // The requirements do not say whether the bundle replaces a broken app here.
  if (app?.condition === 'refused' || app?.condition === 'unreadable') return;
  const answer = await box.get(`/api/apps/${nameOf(label)}/settings`);
  const source = app?.env ?? model.bundled[label]?.example;
  if (source === undefined) return status(answer, 404);
  status(answer, 200);
  equal(`installed of ${label}`, record(answer).installed, app !== undefined);
  for (const { name, type, value, default: otherwise } of list({ json: record(answer).settings })) {
    const kept = source[String(name)];
    // The requirements do not say whether an empty value counts, and whether a default is shown before an install.
    const isOpen = kept === '' || (kept === undefined && app === undefined);
    if (type === 'password') equal(`${name} of ${label}`, value, '');
    else if (!isOpen) equal(`${name} of ${label}`, value, kept ?? otherwise ?? '');
  }
}
