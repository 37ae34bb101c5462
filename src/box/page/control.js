/** One setting as a field of the form. */

import { fieldKind, fieldProblem, isPassword, makePassword } from './apps/settings-values.js';
import { button, element, setText } from './dom.js';
/** @import { SettingEntry } from './api.js' */
/** @import { Field, Mode } from './apps/settings-values.js' */

/** @typedef {ReturnType<typeof makeControl>} Control */
/** @typedef {HTMLInputElement | HTMLSelectElement} Input */

/** @param {SettingEntry} setting @param {Mode} mode @param {number} index @param {string | undefined} typed */
export function makeControl(setting, mode, index, typed) {
  const id = `setting-${index}`;
  const label = setting.label || setting.name;
  const kind = fieldKind(setting, mode);
  const { input, value, fill } = makeEntry(setting, kind, id);
  // The page checks the form itself, because it can explain more than the browser. This attribute marks required
  // fields.
  input.required = setting.required && mode === 'install' && !setting.generate && kind !== 'switch';
  fill(setting.value);
  const filled = kind === 'switch' ? setting.value : value();
  if (typed !== undefined) fill(typed);
  const options = setting.options && kind === 'text' ? suggestions(input, setting.options) : null;
  const tools = input instanceof HTMLInputElement && isPassword(setting) ? passwordTools(input, label, setting) : null;
  const problem = element('p', { class: 'problem', hidden: true, id: `${id}-problem` });
  const row = element(
    'div',
    { class: kind === 'switch' ? 'field switch' : 'field' },
    element('label', { for: id }, label, mark(setting, kind)),
    element('div', { class: 'control' }, input, options, ...(tools?.buttons ?? [])),
    element('p', { class: 'help', text: helpText(setting, kind, mode, filled), id: `${id}-help` }),
    tools?.note ?? null,
    problem,
  );
  const unfold = () => row.closest('details')?.setAttribute('open', '');
  /** @param {string} text */
  const complain = (text) => {
    setText(problem, text);
    problem.hidden = text === '';
    input.setAttribute('aria-invalid', String(text !== ''));
    if (text !== '') unfold();
  };
  let isRefused = false;
  if (input.type === 'number') {
    // Chromium would replace the field's value by nothing.
    input.addEventListener('beforeinput', (event) => {
      isRefused = event.data !== null && /[^\d.,eE+\-\s]/.test(event.data);
      if (!isRefused) return;
      event.preventDefault();
      complain(fieldProblem(read(), mode));
    });
  }
  input.addEventListener('input', () => {
    isRefused = false;
    complain('');
  });
  /** @returns {Field} */
  const read = () => ({
    setting,
    value: value(),
    isTouched: value() !== filled,
    isMalformed: isRefused || input.validity.badInput,
  });
  return {
    row,
    input,
    complain,
    generate: () => {
      unfold();
      tools?.generate();
    },
    read,
    /** @param {boolean} isBusy */
    setBusy: (isBusy) => {
      // Switches and lists cannot be read-only.
      if (kind === 'list' || kind === 'switch') input.disabled = isBusy;
      else input.toggleAttribute('readonly', isBusy);
    },
  };
}

/**
 * The element of a field, its value as a text, and how a text is filled in.
 * @typedef {{ input: Input, value: () => string, fill: (text: string) => void }} Entry
 */

/** @param {SettingEntry} setting @param {ReturnType<typeof fieldKind>} kind @param {string} id @returns {Entry} */
function makeEntry(setting, kind, id) {
  const attributes = { id, name: setting.name, 'aria-describedby': `${id}-help ${id}-problem` };
  const [on = '', off = ''] = setting.options ?? [];
  if (kind === 'list') return textEntry(element('select', attributes, ...choices(setting)));
  if (kind === 'switch') {
    const input = element('input', { ...attributes, type: 'checkbox', role: 'switch' });
    return { input, value: () => (input.checked ? on : off), fill: (text) => (input.checked = text === on) };
  }
  const input = element('input', {
    ...attributes,
    // box/page/15
    type: kind,
    autocomplete: kind === 'password' ? 'new-password' : 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
  });
  if (kind === 'number') input.step = 'any';
  return textEntry(input);
}

/** @param {Input} input @returns {Entry} */
function textEntry(input) {
  return { input, value: () => input.value, fill: (text) => (input.value = text) };
}

/**
 * The choices of a list. A present value that is not among the options is added. A list without a preset can be left blank.
 * @param {SettingEntry} setting
 */
function choices({ options = [], value, default: initial, required }) {
  const blank = initial || required ? [] : [''];
  const all = new Set([...(options.includes(value) ? blank : [value]), ...options]);
  const none = required ? '(choose one)' : '(none)';
  return [...all].map((one) => element('option', { text: one || none, value: one }));
}

/**
 * The values that the browser suggests; another one may be typed.
 * @param {Input} input
 * @param {string[]} options
 */
function suggestions(input, options) {
  const id = `${input.id}-options`;
  input.setAttribute('list', id);
  const made = options.map((value) => element('option', { value }));
  return element('datalist', { id }, ...made);
}

/** Up to this number of suggestions, the help names them: a browser hides those unlike the present value. */
const namedOptions = 5;

/**
 * Buttons that show the typed password or generate one. A generated password is shown, so that the owner can note it.
 * The box knows which form a secret has that it makes, so the page makes none.
 * @param {HTMLInputElement} input
 * @param {string} label
 * @param {SettingEntry} setting
 */
function passwordTools(input, label, setting) {
  const note = element('p', { class: 'made', role: 'status' });
  /** @param {boolean} isShown */
  const reveal = (isShown) => {
    input.type = isShown ? 'text' : 'password';
    show.setAttribute('aria-pressed', String(isShown));
  };
  const generate = () => {
    input.value = makePassword();
    input.dispatchEvent(new Event('input')); // Setting a value by script fires no event.
    reveal(true);
    setText(note, 'A password was made and is shown. Keep it somewhere safe: the box does not show it again.');
    input.select();
  };
  const show = button('Show', 'quiet', () => reveal(input.type === 'password'), `Show ${label}`);
  reveal(false);
  const make = button('Generate', 'quiet', generate, `Generate a password for ${label}`);
  return { note, generate, buttons: setting.generate ? [show] : [show, make] };
}

/**
 * What a label says of the setting. A switch always has a value.
 * @param {SettingEntry} setting
 * @param {ReturnType<typeof fieldKind>} kind
 */
function mark(setting, kind) {
  if (setting.generate) return element('span', { class: 'made', text: ' (made for you)' });
  if (!setting.required || kind === 'switch') return null;
  return element('span', { class: 'required', text: ' (required)' });
}

/**
 * @param {SettingEntry} setting
 * @param {ReturnType<typeof fieldKind>} kind
 * @param {Mode} mode
 * @param {string} filled what the browser's input made of the value
 */
function helpText(setting, kind, mode, filled) {
  const texts = [setting.description];
  const { options = [] } = setting;
  if (kind === 'text' && options.length > 0 && options.length <= namedOptions) {
    texts.push(`Usual values: ${options.join(', ')}.`);
  }
  if (setting.generate && mode === 'install') texts.push('Leave it empty to have a random one made.');
  if (setting.generate && mode === 'edit') texts.push('It was made at the install, unless you typed one.');
  if (isPassword(setting) && mode === 'edit') texts.push('Leave it empty to keep the present one.');
  if (filled !== setting.value) {
    texts.push(
      `The stored value (${JSON.stringify(setting.value)}) does not fit into this field; untouched, it stays as it is.`,
    );
  }
  return texts.filter(Boolean).join(' ');
}
