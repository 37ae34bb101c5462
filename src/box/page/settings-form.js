/** The form of Install and Settings: one field a setting, checked before anything is sent. */
import { askAboutEmptyPasswords, openDialog } from './dialogs.js';
import { button, element, setText } from './dom.js';
import {
  emptyPasswords,
  fieldProblem,
  isPassword,
  makePassword,
  submittedSettings,
} from './settings-values.js';

/**
 * A field on the screen.
 * @typedef {object} Control
 * @property {HTMLElement} row
 * @property {HTMLInputElement} input
 * @property {() => import('./settings-values.js').Field} read
 * @property {(problem: string) => void} complain
 * @property {() => void} generate
 */

/**
 * What was typed, by setting: kept in memory only, to open a refused form as it was sent.
 * @typedef {Record<string, string>} Draft
 */

/**
 * @param {import('./api.js').SettingsView} view
 * @param {import('./settings-values.js').Mode} mode
 * @param {Draft} draft
 * @param {(settings: Record<string, string>, draft: Draft, secrets: string[]) => void} submit
 */
export function openSettingsForm(view, mode, draft, submit) {
  const title = view.display_name || view.name;
  const controls = view.settings.map((setting, index) =>
    makeControl(setting, mode, index, draft[setting.name]),
  );
  const form = element(
    'form',
    { class: 'settings', attributes: { novalidate: '' } },
    introduction(view, mode),
    ...controls.map((control) => control.row),
    element(
      'div',
      { class: 'dialog-buttons' },
      element('button', {
        class: 'button primary',
        text: mode === 'install' ? 'Install' : 'Save settings',
        attributes: { type: 'submit' },
      }),
      button('Cancel', 'quiet', () => dialog.close()),
    ),
  );
  const dialog = openDialog(mode === 'install' ? `Install ${title}` : `Settings of ${title}`, [form]);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (!isAcceptable(controls, mode)) return;
    if (mode === 'install' && !(await mayLeavePasswordsEmpty(controls))) return;
    const fields = controls.map((control) => control.read());
    const typed = fields.filter((field) => field.isTouched).map((field) => [field.setting.name, field.value]);
    const secrets = fields.filter((field) => isPassword(field.setting)).map((field) => field.value);
    dialog.close();
    submit(submittedSettings(fields, mode), Object.fromEntries(typed), secrets);
  });
  controls[0]?.input.focus();
}

/**
 * @param {import('./api.js').SettingsView} view
 * @param {import('./settings-values.js').Mode} mode
 */
function introduction(view, mode) {
  const texts = mode === 'install' ? [view.description_long || view.description] : [];
  if (view.settings.length === 0) texts.push('This app has no settings.');
  else if (view.settings.some((setting) => mode === 'install' && setting.required)) {
    texts.push('Fields marked “required” have to be filled in.');
  }
  return element(
    'div',
    { class: 'introduction' },
    ...texts.filter(Boolean).map((text) => element('p', { text })),
  );
}

/**
 * Shows every problem at its field and goes to the first one.
 * @param {Control[]} controls
 * @param {import('./settings-values.js').Mode} mode
 */
function isAcceptable(controls, mode) {
  const wrong = controls.filter((control) => {
    const problem = fieldProblem(control.read(), mode);
    control.complain(problem);
    return problem !== '';
  });
  wrong[0]?.input.focus();
  return wrong.length === 0;
}

/** @param {Control[]} controls */
async function mayLeavePasswordsEmpty(controls) {
  const empty = emptyPasswords(controls.map((control) => control.read())).map(({ setting }) => setting);
  if (empty.length === 0) return true;
  const answer = await askAboutEmptyPasswords(empty.map((setting) => setting.label || setting.name));
  if (answer === 'make') {
    const open = controls.filter((control) => empty.includes(control.read().setting));
    for (const control of open) control.generate();
    open[0]?.input.focus();
  }
  return answer === 'empty';
}

/**
 * @param {import('./api.js').SettingEntry} setting
 * @param {import('./settings-values.js').Mode} mode
 * @param {number} index
 * @param {string | undefined} typed
 * @returns {Control}
 */
function makeControl(setting, mode, index, typed) {
  const id = `setting-${index}`;
  const secret = isPassword(setting);
  const isRequired = setting.required;
  const input = element('input', {
    attributes: {
      id,
      name: setting.name,
      // box/page/15
      type: secret ? 'password' : setting.type === 'number' ? 'number' : 'text',
      autocomplete: secret ? 'new-password' : 'off',
      autocapitalize: 'off',
      spellcheck: 'false',
      'aria-describedby': `${id}-help ${id}-problem`,
    },
  });
  if (setting.type === 'number') input.step = 'any';
  if (isRequired && mode === 'install') input.setAttribute('aria-required', 'true');
  input.value = setting.value;
  const filled = input.value;
  if (typed !== undefined) input.value = typed;
  const problem = element('p', { class: 'problem', hidden: true, attributes: { id: `${id}-problem` } });
  const made = element('p', { class: 'made', attributes: { role: 'status' } });
  const show = secret ? showButton(input, setting) : null;
  const generate = () => {
    input.value = makePassword((bytes) => crypto.getRandomValues(bytes));
    if (show?.getAttribute('aria-pressed') === 'false') show.click();
    setText(
      made,
      'A password was made and is shown. Keep it somewhere safe: the box does not show it again.',
    );
    input.select();
  };
  const label = setting.label || setting.name;
  const row = element(
    'div',
    { class: 'field' },
    element(
      'label',
      { attributes: { for: id } },
      label,
      isRequired ? element('span', { class: 'required', text: ' (required)' }) : null,
    ),
    element(
      'div',
      { class: 'control' },
      input,
      show,
      secret ? button('Generate', 'quiet', generate, `Generate a password for ${label}`) : null,
    ),
    element('p', { class: 'help', text: helpText(setting, mode, filled), attributes: { id: `${id}-help` } }),
    secret ? made : null,
    problem,
  );
  return {
    row,
    input,
    generate,
    read: () => ({
      setting,
      value: input.value,
      isTouched: input.value !== filled,
      isMalformed: input.validity.badInput,
    }),
    complain: (text) => {
      setText(problem, text);
      problem.hidden = text === '';
      input.setAttribute('aria-invalid', String(text !== ''));
    },
  };
}

/**
 * @param {HTMLInputElement} input
 * @param {import('./api.js').SettingEntry} setting
 */
function showButton(input, setting) {
  const toggle = button(
    'Show',
    'quiet',
    () => {
      const isShown = input.type === 'password';
      input.type = isShown ? 'text' : 'password';
      toggle.setAttribute('aria-pressed', String(isShown));
    },
    `Show ${setting.label || setting.name}`,
  );
  toggle.setAttribute('aria-pressed', 'false');
  return toggle;
}

/**
 * @param {import('./api.js').SettingEntry} setting
 * @param {import('./settings-values.js').Mode} mode
 * @param {string} filled what the browser's input made of the value
 */
function helpText(setting, mode, filled) {
  const texts = [setting.description];
  if (isPassword(setting) && mode === 'edit') texts.push('Leave it empty to keep the present one.');
  if (filled !== setting.value) {
    texts.push(
      `The stored value (${JSON.stringify(setting.value)}) does not fit into this field; untouched, it stays as it is.`,
    );
  }
  return texts.filter(Boolean).join(' ');
}
