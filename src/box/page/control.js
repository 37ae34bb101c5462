/** One setting as a field of the form. */

import { fieldProblem, isPassword, makePassword } from './apps/settings-values.js';
import { button, element, setText } from './dom.js';

/**
 * Makes the form field of a setting.
 * @typedef {object} Control
 * @property {HTMLElement} row
 * @property {HTMLInputElement} input
 * @property {() => import('./apps/settings-values.js').Field} read
 * @property {(problem: string) => void} complain
 * @property {() => void} generate
 */

/**
 * @param {import('./api.js').SettingEntry} setting
 * @param {import('./apps/settings-values.js').Mode} mode
 * @param {number} index
 * @param {string | undefined} typed
 * @returns {Control}
 */
export function makeControl(setting, mode, index, typed) {
  const id = `setting-${index}`;
  const label = setting.label || setting.name;
  const input = makeInput(setting, mode, id);
  const filled = input.value;
  if (typed !== undefined) input.value = typed;
  const options = setting.options && input.type === 'text' ? suggestions(input, setting.options) : null;
  const tools = isPassword(setting) ? passwordTools(input, label) : null;
  const required = setting.required ? element('span', { class: 'required', text: ' (required)' }) : null;
  const problem = element('p', { class: 'problem', hidden: true, attributes: { id: `${id}-problem` } });
  const row = element(
    'div',
    { class: 'field' },
    element('label', { attributes: { for: id } }, label, required),
    element('div', { class: 'control' }, input, options, ...(tools?.buttons ?? [])),
    element('p', { class: 'help', text: helpText(setting, mode, filled), attributes: { id: `${id}-help` } }),
    tools?.note ?? null,
    problem,
  );
  /** @param {string} text */
  const complain = (text) => {
    setText(problem, text);
    problem.hidden = text === '';
    input.setAttribute('aria-invalid', String(text !== ''));
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
  const read = () => ({
    setting,
    value: input.value,
    isTouched: input.value !== filled,
    isMalformed: isRefused || input.validity.badInput,
  });
  return {
    row,
    input,
    complain,
    generate: () => tools?.generate(),
    read,
  };
}

/**
 * @param {import('./api.js').SettingEntry} setting
 * @param {import('./apps/settings-values.js').Mode} mode
 * @param {string} id
 */
function makeInput(setting, mode, id) {
  const input = element('input', {
    attributes: {
      id,
      name: setting.name,
      // box/page/15
      type: isPassword(setting) ? 'password' : setting.type === 'number' ? 'number' : 'text',
      autocomplete: isPassword(setting) ? 'new-password' : 'off',
      autocapitalize: 'off',
      spellcheck: 'false',
      'aria-describedby': `${id}-help ${id}-problem`,
    },
  });
  if (setting.type === 'number') input.step = 'any';
  // The page checks the form itself, because it can explain more than the browser. This attribute marks required
  // fields.
  input.required = setting.required && mode === 'install';
  input.value = setting.value;
  return input;
}

/**
 * The values that the browser suggests; another one may be typed.
 * @param {HTMLInputElement} input
 * @param {string[]} options
 */
function suggestions(input, options) {
  const id = `${input.id}-options`;
  input.setAttribute('list', id);
  const made = options.map((value) => element('option', { attributes: { value } }));
  return element('datalist', { attributes: { id } }, ...made);
}

/** Up to this number of suggestions, the help names them: a browser hides those unlike the present value. */
const namedOptions = 5;

/**
 * Buttons that show the typed password or generate one. A generated password is shown, so that the owner can note it.
 * @param {HTMLInputElement} input
 * @param {string} label
 */
function passwordTools(input, label) {
  const note = element('p', { class: 'made', attributes: { role: 'status' } });
  /** @param {boolean} isShown */
  const reveal = (isShown) => {
    input.type = isShown ? 'text' : 'password';
    show.setAttribute('aria-pressed', String(isShown));
  };
  const generate = () => {
    input.value = makePassword((bytes) => crypto.getRandomValues(bytes));
    input.dispatchEvent(new Event('input')); // Setting a value by script fires no event.
    reveal(true);
    setText(note, 'A password was made and is shown. Keep it somewhere safe: the box does not show it again.');
    input.select();
  };
  const show = button('Show', 'quiet', () => reveal(input.type === 'password'), `Show ${label}`);
  reveal(false);
  return {
    note,
    generate,
    buttons: [show, button('Generate', 'quiet', generate, `Generate a password for ${label}`)],
  };
}

/**
 * @param {import('./api.js').SettingEntry} setting
 * @param {import('./apps/settings-values.js').Mode} mode
 * @param {string} filled what the browser's input made of the value
 */
function helpText(setting, mode, filled) {
  const texts = [setting.description];
  const { options = [] } = setting;
  if (options.length > 0 && options.length <= namedOptions) texts.push(`Usual values: ${options.join(', ')}.`);
  if (isPassword(setting) && mode === 'edit') texts.push('Leave it empty to keep the present one.');
  if (filled !== setting.value) {
    texts.push(
      `The stored value (${JSON.stringify(setting.value)}) does not fit into this field; untouched, it stays as it is.`,
    );
  }
  return texts.filter(Boolean).join(' ');
}
