import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, matches, pluck, status } from '../../../kernel/expect.ts';
import { until } from '../../../kernel/observe.ts';
import { type Action, actionsOf } from '../actions.ts';
import { allSettings, composeOf, manifest, placeInstalled } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { isRunning } from '../disk.ts';

const imageOf = (name: string) => `registry.example/${name}:1.4`;
const health = '    healthcheck: { test: ["CMD", "true"] }\n';

/** Bundles an app with one service that keeps running. */
const bundle = (box: BoxContext, name: string, more = '') =>
  box.environment.bundle({ name, manifest: manifest(name), compose: composeOf(imageOf(name), more) });

const errorsOf = (actions: readonly Action[]) => actions.filter(({ kind }) => kind === 'error');
/** The projects that `docker compose up` calls started since then. */
const broughtUp = (box: BoxContext, since: number) =>
  box.environment.docker
    .calls()
    .slice(since)
    .filter(({ argv }) => argv.includes('up'))
    .map(({ argv }) => argv[argv.indexOf('-p') + 1]);

export const checks: Check<BoxContext>[] = [
  check(
    'box/installApp/containers-stay-up',
    ['choice/box/275', 'choice/box/114'],
    'answers 207 if started containers do not stay up, and names the service and the reason',
    async (box) => {
      const faults = [
        { name: 'ends', does: 'exit', says: /status 1\b/ },
        { name: 'loops', does: 'restart', says: /stay up/ },
        { name: 'ails', does: 'unhealthy', says: /unhealthy/ },
      ] as const;
      for (const { name, does, says } of faults) {
        bundle(box, name, does === 'unhealthy' ? health : '');
        await box.environment.docker.behave(imageOf(name), does);
        const answer = await box.install(name);
        status(answer, 207);
        const errors = errorsOf(actionsOf(answer)).filter(({ target }) => target.startsWith(name));
        equal('targets of the errors', pluck(errors, 'target'), [`${name}/web`]);
        matches('the detail', errors[0]?.detail, says);
      }
    },
  ),
  check(
    'box/installApp/log-of-crash',
    ['choice/box/275'],
    'shows the exit status and the end of the log of a crashing container, without secrets',
    async (box) => {
      const key = box.secret();
      box.environment.bundle({ name: 'wreck', manifest: manifest('wreck', { settings: allSettings }) });
      const lines = ['1', '2', '3', '4', '5', `no hold for ${key}`, 'sinking'];
      await box.environment.docker.crash(imageOf('wreck'), 42, lines);
      const answer = await box.install('wreck', { VAULT_KEY: key });
      status(answer, 207);
      const [error] = errorsOf(actionsOf(answer));
      equal('its target', error?.target, 'wreck/web');
      matches('its detail', error?.detail, /status 42\b.*: 3 \/ 4 \/ 5 \/ no hold for \S+ \/ sinking$/);
      ensure('no secret in the answer', !answer.text.includes(key));
    },
  ),
  check(
    'box/installApp/waits-for-health',
    ['choice/box/275'],
    'waits for a slow health check, also after a settings update',
    async (box) => {
      for (const [name, does, expected] of [
        ['quay', 'slow-health', 200],
        ['wreck', 'unhealthy', 207],
      ] as const) {
        bundle(box, name, health);
        await box.environment.docker.behave(imageOf(name), does, undefined, 1500);
        status(await box.install(name), expected);
        status(await box.changeSettings(name, { TIDE: 'high' }), expected);
      }
    },
  ),
  check(
    'box/installApp/jobs-may-end',
    ['choice/box/275'],
    'accepts a container that exited successfully and has no restart policy',
    async (box) => {
      const compose = `${composeOf(imageOf('quay'))}  job:\n    image: registry.example/job:1\n    restart: on-failure\n`;
      box.environment.bundle({ name: 'quay', manifest: manifest('quay'), compose });
      await box.environment.docker.behave('registry.example/job:1', 'finish');
      status(await box.install('quay'), 200);
    },
  ),
  check(
    'box/reconcile/not-up-again',
    ['choice/box/276', 'choice/box/277'],
    'restarts a failed app only for its own changes, and only reports it for those of others',
    async (box) => {
      placeInstalled(box, 'anchor');
      bundle(box, 'wreck');
      status(await box.changeSettings('anchor', {}), 200);
      await box.environment.docker.behave(imageOf('wreck'), 'exit');
      status(await box.install('wreck'), 207);
      const since = box.environment.docker.calls().length;
      const answer = await box.changeSettings('anchor', { DEPTH: '4' });
      status(answer, 200);
      equal('what was brought up', broughtUp(box, since), ['anchor']);
      const [told] = actionsOf(answer).filter(({ target }) => target.startsWith('wreck'));
      equal('the kind of its action', told?.kind, 'warn');
      matches('its detail', told?.detail, /restarting/);
      status(await box.changeSettings('wreck', {}), 207);
      equal('what was brought up for its own', broughtUp(box, since), ['anchor', 'wreck']);
    },
  ),
  check(
    'box/reconcile/images-beside-changes',
    ['choice/box/278', 'choice/box/279'],
    "does not wait for another app's image that could not be pulled, and retries in the background",
    async (box) => {
      placeInstalled(box, 'anchor', 'wreck');
      await box.environment.docker.fail({ on: 'pull', match: imageOf('wreck') });
      status(await box.changeSettings('anchor', {}), 207);
      await box.environment.docker.clearFaults();
      await box.environment.docker.hang({ on: 'pull', match: imageOf('wreck') });
      for (const depth of ['4', '5']) {
        const answer = await box.changeSettings('anchor', { DEPTH: depth });
        status(answer, 207);
        const errors = errorsOf(actionsOf(answer));
        equal('targets of the errors', pluck(errors, 'target'), ['wreck']);
      }
      await box.environment.docker.clearFaults();
      await until('wreck runs', () => isRunning(box, 'wreck'));
      const answer = await box.changeSettings('anchor', {});
      status(answer, 200);
      ensure('no error is left', errorsOf(actionsOf(answer)).length === 0, answer.json);
    },
  ),
];
