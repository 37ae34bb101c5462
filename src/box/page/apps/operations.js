/** One operation on one app: its start, its progress, and its result, also if its answer is lost. */
import { actionsByApp, elapsedText, othersInTrouble, withoutSecrets } from './model.js';
import { answeredResult, endText, knownAfterLoss, stillUnknown, verbs, withLines } from './outcomes.js';

/** @import { Action, Outcome } from '../api.js' */
/** @import { Result, Verb } from './outcomes.js' */

/**
 * @typedef {object} Operation
 * @property {Verb} verb
 * @property {string} app
 * @property {string} title
 * @property {() => Promise<Outcome<any>>} request
 * @property {string} [toVersion] of an update to a newer version
 * @property {string[]} [secrets]
 * @property {(refusal: string | undefined, text: string) => Remedy | undefined} [remedy] of a refusal, by its name and text
 * @property {Remedy} [undo] beside a result that can be undone
 * @property {(refusal: string) => void} [answered] is called when the box has answered; empty unless it refused
 *
 * @typedef {object} Remedy a button beside a result
 * @property {string} text
 * @property {string} [name] what a screen reader hears
 * @property {() => void} press
 */

/**
 * What the page shows beside an app.
 * @typedef {Result & StatusMore} Status
 *
 * @typedef {object} StatusMore
 * @property {number} [since] when it began, for what is running
 * @property {boolean} [fromOther] an error that the operation on another app brought to light
 * @property {boolean} [isBrief] leaves out that it may take long, because the text says how far it is
 * @property {Remedy} [remedy]
 */

/**
 * @typedef {object} Stage the parts of the page that an operation uses
 * @property {(app: string, status: Status | null) => void} setStatus
 * @property {(app: string) => Status | undefined} getStatus
 * @property {() => Promise<{ name: string, version?: string }[] | null>} refresh the installed apps; null when the box
 * did not answer
 * @property {(text: string) => void} announce
 * @property {(report: Report) => void} report
 */

/**
 * @typedef {object} Report
 * @property {string} line
 * @property {Result} result
 * @property {string} [json]
 * @property {Action[]} [actions]
 * @property {AppResult[]} [results] of an operation on several apps
 *
 * @typedef {Result & { title: string }} AppResult
 */

/** The interval at which a screen reader announces a running operation; the visible text changes every second. */
const remindMs = 60_000;

/** Delays between polls after a lost answer: short at first, then longer, two minutes in total. */
const lookAgainMs = [1000, 2000, 3000, ...Array.from({ length: 23 }, () => 5000)];

/**
 * Runs an operation to its end. Resolves to its result; null if another operation on the app is running.
 * @param {Operation} operation
 * @param {Stage} stage
 * @returns {Promise<Result | null>}
 */
export async function runOperation(operation, stage) {
  const { verb, app, title, secrets = [], toVersion } = operation;
  if (stage.getStatus(app)?.kind === 'running') return null;
  const since = performance.now();
  const { doing, noun } = verbs[verb];
  stage.setStatus(app, { kind: 'running', text: doing, since });
  stage.announce(`${doing}: ${title}`);
  const reminder = setInterval(
    () => stage.announce(`${title}: ${doing}, ${elapsedText(performance.now() - since)} so far`),
    remindMs,
  );
  const outcome = await operation.request();
  clearInterval(reminder);
  if (outcome.kind === 'lost') operation.answered?.('');
  const tookMs = performance.now() - since;
  const result =
    outcome.kind === 'lost'
      ? await findOut(operation, outcome.message, since, stage)
      : answeredResult(verb, app, outcome, tookMs, toVersion);
  /** @param {string} text */
  const clean = (text) => withoutSecrets(text, secrets);
  const shown = { ...result, text: clean(result.text), detail: clean(result.detail ?? '') };
  if (outcome.kind !== 'lost') operation.answered?.(outcome.kind === 'refused' ? shown.text : '');
  const body = outcome.kind === 'lost' ? null : outcome.body;
  const actions = Array.isArray(body?.actions) ? body.actions : [];
  const remedy =
    outcome.kind === 'refused' ? operation.remedy?.(outcome.refusal, shown.text) : result.isUndoable && operation.undo;
  stage.setStatus(app, remedy ? { ...shown, remedy } : shown);
  spreadErrors(app, title, actions, stage);
  stage.report({
    line: `${noun}: ${title} (${endText(outcome)})`,
    // The actions already contain the lines of the log.
    result: { ...shown, text: `${title}: ${shown.text}`, detail: actions.length > 0 ? '' : shown.detail },
    actions,
    ...(body === null ? {} : { json: clean(JSON.stringify(body, null, 2)) }),
  });
  stage.announce(`${title}: ${shown.text} ${shown.more?.replaceAll('`', '') ?? ''}`.trimEnd());
  if (outcome.kind !== 'lost') await stage.refresh();
  return shown;
}

/**
 * Polls the lists until they show the result of an operation whose answer was lost.
 * @param {Operation} operation
 * @param {string} message
 * @param {number} since
 * @param {Stage} stage
 */
async function findOut({ verb, app, title, toVersion }, message, since, stage) {
  const text = `${message} The operation goes on; looking what became of it`;
  stage.setStatus(app, { kind: 'running', text, since });
  stage.announce(`${title}: ${text}`);
  let wasReached = false;
  for (const waitMs of lookAgainMs) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    const installed = await stage.refresh();
    if (!installed) continue;
    wasReached = true;
    const found = installed.find(({ name }) => name === app);
    const known = knownAfterLoss(verb, found, toVersion);
    if (known) return known;
  }
  return stillUnknown(verb, wasReached);
}

/**
 * Shows a reply's errors of other apps on their cards. Removes such an error when a later reply does not contain it.
 * @param {string} actedOn
 * @param {string} title
 * @param {Action[]} actions
 * @param {Stage} stage
 */
function spreadErrors(actedOn, title, actions, stage) {
  const errors = new Map(othersInTrouble(actedOn, actions).map((other) => [other.app, other.error]));
  for (const { app } of actionsByApp(actions)) {
    if (app === actedOn) continue;
    const current = stage.getStatus(app);
    if (current?.kind === 'running') continue;
    const error = errors.get(app);
    if (error) {
      stage.setStatus(app, {
        ...withLines('partial', `Found while working on ${title}:`, error),
        fromOther: true,
      });
    } else if (current?.fromOther) stage.setStatus(app, null);
  }
}
