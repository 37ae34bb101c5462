/** Buttons and forms, and the questions before an action. */

import { isWanted, tell } from '../../box/page/dialogs.js';
import { button, byId, element, withCode } from '../../box/page/dom.js';
import { localText } from '../../box/page/local-text.js';
/** @import { Schemas, Visit } from './visit.js' */

/**
 * @typedef {Schemas['ShownAction']} ShownAction
 * @typedef {Schemas['Field']} Field
 * @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Input
 */

/**
 * The actions of a section as buttons in a row. Fields that are not part of a question stand above them.
 * @param {Visit} visit
 * @param {ShownAction[]} actions
 */
export function actionBar(visit, actions) {
  if (actions.length === 0) return [];
  const found = element('div', { class: 'what-was-found' });
  /** @type {HTMLElement[]} */
  const above = [];
  const buttons = actions.flatMap((action) => {
    const isForm = action.fields !== undefined && action.question === undefined;
    const { inputs, parts, fillers } = drawFields(isForm ? (action.fields ?? []) : []);
    above.push(...parts);
    return [actionButton(visit, action, () => valuesOf(inputs), found), ...fillers];
  });
  const notes = actions.flatMap(({ note }) =>
    note === undefined ? [] : [element('p', { class: 'note', text: note })],
  );
  const bar = element('div', { class: 'row-buttons' }, ...buttons);
  if (above.length === 0) return [bar, ...notes, found];
  const form = element('form', { class: 'fields' }, ...above, ...notes, bar);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    buttons[0]?.click();
  });
  return [form, found];
}

/**
 * A button. A screen reader hears its text and what it is about.
 * @param {Visit} visit
 * @param {ShownAction} action
 * @param {() => Record<string, string>} typed
 * @param {HTMLElement} [found] where is shown what it reads or finds
 */
export function actionButton(visit, action, typed, found) {
  const { label, about, kind, read } = action;
  const name = about === undefined ? undefined : `${label}: ${localText(about)}`;
  const made = button(
    label,
    kind,
    () =>
      void (read === undefined ? carryOut(visit, action, made, typed(), found) : readBelow(visit, action, made, found)),
    name,
  );
  return made;
}

/**
 * @param {Visit} visit
 * @param {ShownAction} action
 * @param {HTMLButtonElement} pressed
 * @param {Record<string, string>} typed
 * @param {HTMLElement} [found]
 */
async function carryOut(visit, action, pressed, typed, found) {
  const asked = await askFirst(visit, action);
  if (asked === null) return;
  const outcome = await visit.act(pressed, action, { ...action.given, ...typed, ...asked });
  // What was found before is not about what was typed now.
  if (outcome === null) return found?.replaceChildren();
  const { shown } = outcome;
  if (shown?.actions !== undefined && found !== undefined) {
    visit.drawSections(found, [shown]);
    const heading = found.querySelector(visit.level);
    heading?.setAttribute('tabindex', '-1');
    return heading?.focus();
  }
  if (shown !== undefined) {
    await tell(shown.title ?? '', [drawn(visit, [{ rows: shown.rows }])]);
  }
  // Work that has begun may fail: then what was typed is still there.
  if (action.fields !== undefined && !outcome.has_begun) pressed.closest('form')?.reset();
  emptyAround(pressed);
  await visit.showChange(outcome);
}

/** Takes back what was found, and what was typed to find it, once it was acted on. @param {HTMLElement} pressed */
function emptyAround(pressed) {
  const found = /** @type {HTMLElement | null} */ (pressed.closest('.what-was-found'));
  if (found === null) return;
  /** @type {HTMLFormElement | null} */ (found.previousElementSibling)?.reset();
  found.replaceChildren();
  byId('room-title').focus();
}

/**
 * Asks the action's question, if it has one. Returns what was typed there, or `null` to do nothing.
 * @param {Visit} visit
 * @param {ShownAction} action
 */
async function askFirst(visit, { question, fields = [], kind }) {
  if (question === undefined) return {};
  const { title, text, answer, room } = question;
  /** @type {HTMLElement[]} */
  const content = [element('p', {}, ...withCode(text))];
  if (room !== undefined) {
    /** @type {Schemas['Report'] | null} */
    const report = await visit.get(`rooms/${room}`);
    if (report === null) return null;
    if (report.sections.length === 0) {
      visit.say(report.title ?? '');
      return null;
    }
    content.push(drawn(visit, report.sections));
  }
  const { inputs, parts } = drawFields(fields);
  const buttonKind = kind === 'primary' ? 'primary' : 'danger';
  const isChosen = await isWanted(localText(title), [...content, ...parts], answer, buttonKind);
  return isChosen ? valuesOf(inputs) : null;
}

/** @param {Visit} visit @param {Schemas['Section'][]} sections */
function drawn(visit, sections) {
  const place = element('div');
  visit.drawSections(place, sections);
  return place;
}

/**
 * Reads a room and shows it below its button; this one, the whole room again.
 * @param {Visit} visit
 * @param {ShownAction} action
 * @param {HTMLButtonElement} pressed
 * @param {HTMLElement} [place]
 */
async function readBelow(visit, { read = '', doing }, pressed, place = element('div')) {
  pressed.setAttribute('aria-disabled', 'true');
  visit.say(`${doing}…`);
  if (read === visit.address) {
    if (await visit.draw()) visit.say('');
    return pressed.removeAttribute('aria-disabled');
  }
  /** @type {Schemas['Report'] | null} */
  const report = await visit.get(`rooms/${read}`);
  pressed.removeAttribute('aria-disabled');
  if (report === null) return;
  visit.say(report.title ?? '', 'done');
  visit.drawSections(place, report.sections);
  place.querySelector('textarea')?.focus();
}

/** @param {Map<string, Input>} inputs */
function valuesOf(inputs) {
  return Object.fromEntries([...inputs].map(([name, { value }]) => [name, value]));
}

/** @param {Field[]} fields */
function drawFields(fields) {
  /** @type {Map<string, Input>} */
  const inputs = new Map();
  /** @type {Map<string | undefined, HTMLElement>} */
  const folded = new Map();
  /** @type {HTMLElement[]} */
  const parts = [];
  /** @type {HTMLButtonElement[]} */
  const fillers = [];
  for (const field of fields) {
    const input = inputOf(field);
    inputs.set(field.name, input);
    const label = element('label', { text: field.label, for: input.id });
    const own = field.type === 'several' ? [input] : [label, input];
    const { type, choices = [], folded: title } = field;
    for (const { text, value } of type === 'choice' || type === 'several' ? [] : choices) {
      fillers.push(
        button(text, 'quiet', () => {
          input.value = value;
          input.focus();
        }),
      );
    }
    if (title === undefined) parts.push(...own);
    else {
      const known = folded.get(title) ?? element('details', {}, element('summary', { text: title }));
      if (!folded.has(title)) parts.push(known);
      folded.set(title, known);
      known.append(...own);
    }
  }
  return { inputs, parts, fillers };
}

let fieldCount = 0;

/** Boxes to tick, all ticked at first. @param {Field} field @returns {Input} */
function tickBoxes({ label, choices = [] }) {
  const boxes = choices.map(({ value }) => element('input', { type: 'checkbox', value, checked: true }));
  const lines = choices.map(({ text }, index) => element('label', {}, boxes[index] ?? null, ' ', localText(text)));
  const all = element('fieldset', {}, element('legend', { text: label }), ...lines);
  const value = () => boxes.flatMap((one) => (one.checked ? [one.value] : [])).join('\n');
  return /** @type {Input} */ (Object.defineProperty(/** @type {unknown} */ (all), 'value', { get: value }));
}

/** @param {Field} field @returns {Input} */
function inputOf(field) {
  const { type, value = '', choices = [] } = field;
  if (type === 'several') return tickBoxes(field);
  // Two rooms of a page may have fields of the same name.
  const id = `field-${++fieldCount}`;
  if (type === 'choice') {
    const options = choices.map((one) => element('option', { text: one.text, value: one.value }));
    return element('select', { id }, ...options);
  }
  if (type === 'lines') {
    const area = element('textarea', { id, rows: '12', autocomplete: 'off', spellcheck: 'false' });
    area.value = value;
    return area;
  }
  const shape = type === 'url' ? { type: 'text', inputmode: 'url' } : { type };
  return element('input', { id, ...shape, value, autocomplete: 'off', spellcheck: 'false' });
}
