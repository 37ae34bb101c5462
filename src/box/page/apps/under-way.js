/** The texts about changes that wait or are carried out, whichever page asked for them. */
import { localNumber } from '../local-text.js';
import { verbs } from './outcomes.js';

/** @import { AppOperation } from '../api.js' */
/** @import { App } from './model.js' */
/** @import { Status } from './operations.js' */

/** What a change does now. A pull has its own text. @type {Partial<Record<AppOperation['step'], string>>} */
const stepTexts = {
  waiting: 'waiting for its turn',
  building: 'building',
  starting: 'starting',
  verifying: 'checking that it stays up',
  stopping: 'stopping',
  backing_up: 'backing up its data',
  rolling_back: 'going back to what ran before',
  finishing: 'bringing the other apps in line',
};

/**
 * The status of a change that the box carries out: `Downloading 12 of 80 MB`, with the time of its begin on the box's clock
 * unless this page knows it by its own.
 * @param {AppOperation} operation
 * @param {number | undefined} since when this page asked for it
 * @returns {Status}
 */
export function operationStatus(operation, since) {
  const step = (operation.step === 'pulling' ? pullText(operation) : stepTexts[operation.step]) ?? 'under way';
  const text = step.charAt(0).toUpperCase() + step.slice(1);
  if (since !== undefined) return { kind: 'running', text, since, isBrief: true };
  if (operation.bytes_total !== undefined) return { kind: 'running', text };
  const begin = new Date(operation.since).toLocaleTimeString(undefined, { timeStyle: 'short' });
  return { kind: 'running', text: `${text}, since ${begin}` };
}

/** What a change does, in one or two words. @param {AppOperation} operation */
export function doingText({ kind }) {
  // A later version of the box may name another kind.
  return verbs[kind]?.doing ?? 'Changing';
}

/** @param {AppOperation} operation */
function pullText({ bytes = 0, bytes_total: total, layers, layers_total: allLayers }) {
  if (total !== undefined) return `downloading ${sizesText(bytes, total)}`;
  return allLayers === undefined ? 'downloading' : `downloading ${layers} of ${allLayers} parts`;
}

const sizeUnits = /** @type {const} */ ([
  ['GB', 1e9],
  ['MB', 1e6],
  ['kB', 1e3],
]);

/**
 * Two sizes in the unit of the second: `12 of 80 MB`, `0.3 of 1.2 GB`.
 * @param {number} part
 * @param {number} whole
 */
export function sizesText(part, whole) {
  const [unit, size] = sizeUnits.find(([, least]) => whole >= least) ?? ['kB', 1e3];
  const digits = whole / size < 10 ? 1 : 0;
  return `${localNumber(part / size, digits)} of ${localNumber(whole / size, digits)} ${unit}`;
}

/** What the page says above the lists while the box changes an app; empty if it does not. @param {App[]} apps */
export function underWayText(apps) {
  const changes = apps.flatMap(({ title, operation }) => (operation === null ? [] : [{ title, operation }]));
  const now = changes.find(({ operation }) => operation.step !== 'waiting');
  const waiting = changes.filter(({ operation }) => operation.step === 'waiting').length;
  const queue = waiting === 1 ? '1 change waits' : `${waiting} changes wait`;
  if (now === undefined) return waiting === 0 ? '' : `${queue} until the box has done what it does now.`;
  const rest = waiting === 0 ? '' : ` ${queue} already.`;
  return `${now.title}: ${doingText(now.operation).toLowerCase()}. Until that is done, every other change waits.${rest}`;
}
