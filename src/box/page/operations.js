/** One operation on one app from press to result: its progress, its end, and what is known when its answer is lost. */
import { actionsByApp, elapsedText, withoutSecrets } from './model.js';
import { answeredResult, errorsOf, knownAfterLoss, stillUnknown, verbs } from './outcomes.js';

/**
 * @typedef {object} Operation
 * @property {import('./outcomes.js').Verb} verb
 * @property {string} app
 * @property {string} title
 * @property {() => Promise<import('./api.js').Outcome<any>>} request
 * @property {string[]} [secrets]
 * @property {() => void} [again] opens the form once more, as it was sent
 */

/**
 * What the page shows beside an app.
 * @typedef {object} Status
 * @property {import('./outcomes.js').StatusKind} kind
 * @property {string} text
 * @property {number} [since] when it began, for what is running
 * @property {boolean} [fromOther] an error that the operation on another app brought to light
 * @property {() => void} [again]
 */

/**
 * @typedef {object} Stage what an operation needs of the page
 * @property {(app: string, status: Status | null) => void} setStatus
 * @property {(app: string) => Status | undefined} getStatus
 * @property {() => Promise<{ name: string }[] | null>} refresh the installed apps; null when the box did not answer
 * @property {(text: string) => void} announce
 * @property {(report: Report) => void} report
 */

/**
 * @typedef {object} Report
 * @property {string} line
 * @property {import('./outcomes.js').Result} result
 * @property {string} [json]
 * @property {import('./api.js').Action[]} [actions]
 */

/** How often a screen reader is told that an operation still runs; the eye sees it every second. */
const remindMs = 60_000;

/** When to look again after a lost answer: soon, then patiently, for two minutes. */
const lookAgainMs = [1000, 2000, 3000, ...Array.from({ length: 23 }, () => 5000)];

/**
 * @param {Operation} operation
 * @param {Stage} stage
 */
export async function runOperation(operation, stage) {
  const { verb, app, title, secrets = [], again } = operation;
  if (stage.getStatus(app)?.kind === 'running') return;
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
  const tookMs = performance.now() - since;
  const result =
    outcome.kind === 'lost'
      ? await findOut(operation, outcome.message, since, stage)
      : answeredResult(verb, app, outcome, tookMs);
  const shown = { ...result, text: withoutSecrets(result.text, secrets) };
  const body = outcome.kind === 'lost' ? null : outcome.body;
  const actions = Array.isArray(body?.actions) ? body.actions : [];
  stage.setStatus(app, result.kind === 'refused' && again ? { ...shown, again } : shown);
  spreadErrors(app, title, actions, stage);
  const status = outcome.kind === 'lost' ? 'no answer' : `status ${outcome.status}`;
  stage.report({
    line: `${noun}: ${title} (${status})`,
    result: { ...shown, text: `${title}: ${shown.text}` },
    actions,
    ...(body === null ? {} : { json: withoutSecrets(JSON.stringify(body, null, 2), secrets) }),
  });
  stage.announce(`${title}: ${shown.text}`);
  if (outcome.kind !== 'lost') await stage.refresh();
}

/**
 * Looks at the lists until they tell what became of an operation whose answer was lost.
 * @param {Operation} operation
 * @param {string} message
 * @param {number} since
 * @param {Stage} stage
 */
async function findOut({ verb, app, title }, message, since, stage) {
  const text = `${message} The operation goes on; looking what became of it`;
  stage.setStatus(app, { kind: 'running', text, since });
  stage.announce(`${title}: ${text}`);
  let wasReached = false;
  for (const waitMs of lookAgainMs) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    const installed = await stage.refresh();
    if (!installed) continue;
    wasReached = true;
    const known = knownAfterLoss(
      verb,
      installed.some(({ name }) => name === app),
    );
    if (known) return known;
  }
  return stillUnknown(verb, wasReached);
}

/**
 * Puts each other app's own error on its card, and takes it off again once a reply has none for it.
 * @param {string} actedOn
 * @param {string} title
 * @param {import('./api.js').Action[]} actions
 * @param {Stage} stage
 */
function spreadErrors(actedOn, title, actions, stage) {
  for (const group of actionsByApp(actions)) {
    if (group.app === actedOn) continue;
    const current = stage.getStatus(group.app);
    if (current?.kind === 'running') continue;
    if (group.failed) {
      const text = `Found while working on ${title}: ${errorsOf(group.actions)}`;
      stage.setStatus(group.app, { kind: 'partial', text, fromOther: true });
    } else if (current?.fromOther) stage.setStatus(group.app, null);
  }
}
