import type { components } from '../../box/api/api.gen.ts';
import { isJsonObject, parseJson } from '../../lib/json.ts';

export type UpdateState = components['schemas']['SelfUpdateState'];

/** The unit name of an update. There is one name, so that only one update can run. */
export const updateUnit = 'boxgate-update.service';

const maxStateLength = 64 * 1024;
const finalStages = ['done', 'rolled_back'];

/**
 * The self-update state from the text of its file: `{}` when no update was ever attempted. The operation has no
 * errors, so a damaged file becomes a final state that says so.
 * box/update-state/1, box/update-state/4, box/getSelfUpdateStatus/1-2, choice/box/131
 */
export function readUpdateState(text: string | null): UpdateState {
  if (text === null) return {};
  const value = text.length > maxStateLength ? undefined : parseJson(text);
  if (isState(value)) return value;
  return {
    stage: 'rolled_back',
    reason: 'the record of the last update, update-state.json, is damaged; the next update writes a new one',
  };
}

/** An update without a final state: it runs, or it was interrupted. */
export function isUnfinished(state: UpdateState): boolean {
  return state.stage !== undefined && !finalStages.includes(state.stage);
}

/** Whether an update from this version has switched to another one and is unfinished. choice/gateway/391 */
export function isUndone(state: UpdateState, runningVersion: string): boolean {
  return isSwitched(state) && state.from === runningVersion && state.to !== runningVersion;
}

const isSwitched = ({ stage = '' }: UpdateState) => ['switching', 'restarting', 'health_check'].includes(stage);

/**
 * The final state of an interrupted update, derived from the running version. Every failure is `rolled_back`, because
 * readers of the state know only two final stages.
 * choice/box/131, choice/box/135
 */
export function interruptedState(state: UpdateState, runningVersion: string, now: Date): UpdateState {
  const end = { ...state, updated_at: now.toISOString(), finished_at: now.toISOString() };
  const switched = state.to !== undefined && state.to !== state.from && state.to === runningVersion;
  if (switched) {
    return { ...end, stage: 'done', outcome: 'updated', message: `version ${runningVersion} runs` };
  }
  return {
    ...end,
    stage: 'rolled_back',
    reason: 'interrupted',
    outcome: isSwitched(state) ? 'reverted' : 'unchanged',
    message: `the update was interrupted; version ${runningVersion} runs`,
  };
}

type Form = (value: unknown) => boolean;

const isText: Form = (value) => typeof value === 'string';
const isShare: Form = (value) => typeof value === 'number' && value >= 0 && value <= 1;
const isCount: Form = (value) => Number.isSafeInteger(value) && Number(value) >= 0;

const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;

/** Whether a value is a date-time of RFC 3339. */
export const isDateTime: Form = (value) =>
  typeof value === 'string' && dateTime.test(value) && !Number.isNaN(Date.parse(value));

const addressPart = String.raw`(?:[\w.~:/?@!$&'()*+,;=-]|%[\dA-Fa-f]{2})*`;
const changelogAddress = new RegExp(
  String.raw`^https://(?:[\w.-]+|\[[\dA-Fa-f:.]+\])(?::\d+)?(?:[/?]${addressPart})?(?:#${addressPart})?$`,
);

/**
 * Whether a value can be the `changelog` of a state: the address of a page that people open, so only `https`, without
 * a user name. A release with another value must be refused, because its state would count as damaged.
 * choice/box/131
 */
export const isChangelog: Form = (value) => typeof value === 'string' && changelogAddress.test(value);

/** The fields of the API document. Fields of newer versions are passed on. */
const forms: Record<keyof Required<UpdateState>, Form> = {
  stage: isText,
  attempt: isText,
  unit: isText,
  from: isText,
  to: isText,
  started_at: isDateTime,
  updated_at: isDateTime,
  finished_at: isDateTime,
  progress: isShare,
  bytes: isCount,
  bytes_total: isCount,
  changelog: isChangelog,
  message: isText,
  reason: isText,
  outcome: isText,
};

function isState(value: unknown): value is UpdateState {
  if (!isJsonObject(value)) return false;
  return Object.entries(forms).every(([field, hasForm]) => value[field] === undefined || hasForm(value[field]));
}
