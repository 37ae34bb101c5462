/** The form of Install and Settings: one field a setting, checked before anything is sent. */

import { makeControl } from '../control.js';
import { askAboutEmptyPasswords, openDialog } from '../dialogs.js';
import { button, element } from '../dom.js';
import { emptyPasswords, fieldProblem, isPassword, submittedSettings } from './settings-values.js';

/**
 * The typed values by setting, to open a refused form again with its values. Kept in memory only.
 * @typedef {Record<string, string>} Draft
 */

/**
 * @param {import('../api.js').SettingsView} view
 * @param {import('./settings-values.js').Mode} mode
 * @param {{ draft: Draft, unset: string }} start what was typed before, and a text that names settings to set
 * @param {(settings: Record<string, string>, draft: Draft, secrets: string[]) => void} submit
 */
export function openSettingsForm(view, mode, { draft, unset }, submit) {
  const title = view.display_name || view.name;
  const controls = view.settings.map((setting, index) => makeControl(setting, mode, index, draft[setting.name]));
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
  const open = controls.filter((control) => unset.split(/\W+/).includes(control.read().setting.name));
  for (const control of open) control.complain('This is still the placeholder of the example.');
  (open[0] ?? controls[0])?.input.focus();
}

/**
 * @param {import('../api.js').SettingsView} view
 * @param {import('./settings-values.js').Mode} mode
 */
function introduction(view, mode) {
  const texts = mode === 'install' ? [view.description_long || view.description] : [];
  if (view.settings.length === 0) texts.push('This app has no settings.');
  else if (view.settings.some((setting) => mode === 'install' && setting.required)) {
    texts.push('Fields marked “required” have to be filled in.');
  }
  return element('div', { class: 'introduction' }, ...texts.filter(Boolean).map((text) => element('p', { text })));
}

/**
 * Shows every problem at its field and moves the focus to the first one.
 * @param {import('../control.js').Control[]} controls
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

/** @param {import('../control.js').Control[]} controls */
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
