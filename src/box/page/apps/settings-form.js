/** The form of Install and Settings: one field a setting, checked before anything is sent, open until the box answers. */

import { makeControl } from '../control.js';
import { askAboutEmptyPasswords, openDialog } from '../dialogs.js';
import { button, element, setText } from '../dom.js';
import { makeProgressLine } from '../status-line.js';
import {
  emptyPasswords,
  fieldProblem,
  isPassword,
  namedIn,
  shownSetting,
  submittedSettings,
} from './settings-values.js';
/** @import { AppOperation, SettingsView } from '../api.js' */
/** @import { Control } from '../control.js' */
/** @import { Status } from './operations.js' */
/** @import { Mode } from './settings-values.js' */

/**
 * The typed values by setting, to open a refused form again with its values. Kept in memory only.
 * @typedef {Record<string, string>} Draft
 *
 * @typedef {object} FormStart
 * @property {Draft} [draft] what was typed before
 * @property {string} [problem] why the form has to be filled in again
 * @property {string} [unset] a text that names settings that still have their placeholder
 *
 * @typedef {object} FormUse
 * @property {(settings: Record<string, string>, draft: Draft, secrets: string[]) => Promise<string>} submit resolves to
 * the refusal; empty if the box did not refuse
 * @property {() => [Status | undefined, AppOperation | null]} look how far
 * the change is
 * @property {() => void} closed
 */

/**
 * @param {string} title that of the app
 * @param {SettingsView} view
 * @param {Mode} mode
 * @param {FormStart} start
 * @param {FormUse} use
 */
export function openSettingsForm(title, view, mode, { draft = {}, problem = '', unset = '' }, use) {
  const { controls, rows } = makeControls(view, mode, draft);
  const refusal = element('p', { class: 'problem', role: 'alert' });
  const progress = makeProgressLine();
  const send = element('button', {
    class: 'button primary',
    text: mode === 'install' ? 'Install' : 'Save settings',
    type: 'submit',
  });
  const cancel = button('Cancel', 'quiet', () => dialog.close());
  const form = element(
    'form',
    { class: 'settings', novalidate: true },
    introduction(view, mode),
    ...rows,
    refusal,
    progress.box,
    element('div', { class: 'dialog-buttons' }, send, cancel),
  );
  const dialog = openDialog(mode === 'install' ? `Install ${title}` : `Settings of ${title}`, [form]);
  dialog.addEventListener('close', use.closed);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (send.getAttribute('aria-disabled') === 'true' || !isAcceptable(controls, mode)) return;
    if (mode === 'install' && !(await mayLeavePasswordsEmpty(controls))) return;
    const fields = controls.map((control) => control.read());
    const typed = fields.filter((field) => field.isTouched).map((field) => [field.setting.name, field.value]);
    const secrets = fields.filter((field) => isPassword(field.setting)).map((field) => field.value);
    setText(refusal, '');
    const refused = await waitFor(use.submit(submittedSettings(fields, mode), Object.fromEntries(typed), secrets));
    if (refused === '') dialog.close();
    else complain(refused);
  });

  /**
   * Shows how far the change is until it has ended. The form may be closed meanwhile.
   * @param {Promise<string>} answer
   */
  async function waitFor(answer) {
    setBusy(true);
    const show = () => progress.show(...use.look(), title);
    show();
    const timer = setInterval(show, 1000);
    const refused = await answer;
    clearInterval(timer);
    progress.show(undefined, null, title);
    setBusy(false);
    return refused;
  }

  /** @param {boolean} isBusy */
  function setBusy(isBusy) {
    send.setAttribute('aria-disabled', String(isBusy));
    for (const control of controls) control.setBusy(isBusy);
    setText(cancel, isBusy ? 'Close; it goes on' : 'Cancel');
  }

  /** Shows a refusal beside the fields that it names, else above the buttons. @param {string} text */
  function complain(text) {
    const named = controls.filter((control) => namedIn(text, control.read().setting.name));
    for (const control of named) control.complain(text);
    if (named.length === 0) setText(refusal, text);
    (named[0] ?? controls[0])?.input.focus();
  }

  const open = controls.filter((control) => namedIn(unset, control.read().setting.name));
  for (const control of open) control.complain('This is still the placeholder of the example.');
  if (problem) complain(problem);
  else (open[0] ?? controls[0])?.input.focus();
}

/**
 * The fields, and their rows; those that few owners need are last, and folded unless there are no others.
 * @param {SettingsView} view
 * @param {Mode} mode
 * @param {Draft} draft
 */
function makeControls(view, mode, draft) {
  const settings = view.settings.map(shownSetting);
  const folded = settings.filter((setting) => setting.advanced);
  const shown = settings.filter((setting) => !setting.advanced);
  const controls = [...shown, ...folded].map((setting, index) =>
    makeControl(setting, mode, index, draft[setting.name]),
  );
  const all = controls.map((control) => control.row);
  if (folded.length === 0) return { controls, rows: all };
  const summary = element('summary', { text: `Advanced (${folded.length})` });
  const fold = element('details', { open: shown.length === 0 }, summary, ...all.slice(shown.length));
  return { controls, rows: [...all.slice(0, shown.length), fold] };
}

/** A longer text about the app would push the fields off a phone's screen; **About** has it. */
const longestIntroduction = 400;

/** @param {SettingsView} view @param {Mode} mode */
function introduction(view, mode) {
  const { description, description_long: long } = view;
  const about = (long.length <= longestIntroduction && long) || description || long;
  const texts = mode === 'install' ? [about] : [];
  if (view.settings.length === 0) texts.push('This app has no settings.');
  else if (view.settings.some((setting) => mode === 'install' && setting.required && !setting.generate)) {
    texts.push('Fields marked “required” have to be filled in.');
  }
  return element('div', { class: 'introduction' }, ...texts.filter(Boolean).map((text) => element('p', { text })));
}

/**
 * Shows every problem at its field and moves the focus to the first one.
 * @param {Control[]} controls
 * @param {Mode} mode
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
