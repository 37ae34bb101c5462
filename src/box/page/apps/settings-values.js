/** Converts a settings view to the values that the form submits. */

/** @import { SettingEntry } from '../api.js' */

/**
 * A field with its current value. An untouched field keeps its initial value, because the browser's input
 * drops line breaks and text that is not a number.
 * @typedef {object} Field
 * @property {SettingEntry} setting
 * @property {string} value
 * @property {boolean} isTouched
 * @property {boolean} isMalformed
 */

/** @typedef {'install' | 'edit'} Mode */

/**
 * The setting that the form shows: a port in use gives way to the free one that the box offers.
 * @param {SettingEntry} setting
 * @returns {SettingEntry}
 */
export function shownSetting(setting) {
  const { value, description, free_port } = setting;
  if (free_port === undefined) return setting;
  return { ...setting, value: free_port, description: `Port ${value} is in use. ${description}`.trim() };
}

/**
 * The kind of a setting's field. A switch shows one of two texts only, and a blank only before the install, which
 * submits what the switch shows.
 * box/setting/6
 * @param {SettingEntry} setting
 * @param {Mode} mode
 * @returns {'password' | 'number' | 'text' | 'switch' | 'list'}
 */
export function fieldKind({ type, options = [], value }, mode) {
  const isShown = options.includes(value) || (mode === 'install' && value === '');
  if (type === 'boolean' && options.length === 2 && isShown) return 'switch';
  if (type === 'select' && options.length > 0) return 'list';
  return type === 'password' || type === 'number' ? type : 'text';
}

/**
 * The settings to submit. In edit mode an empty password field keeps the password unchanged.
 * box/page/7, box/page/18, box/page/19
 * @param {Field[]} fields
 * @param {Mode} mode
 */
export function submittedSettings(fields, mode) {
  const sent = fields.filter(({ setting, value }) => !(mode === 'edit' && isPassword(setting) && value === ''));
  return Object.fromEntries(
    sent.map(({ setting, value, isTouched }) => [setting.name, isTouched ? value : setting.value]),
  );
}

/**
 * The problem of a field's value; empty without one. `required` applies only to an install, which makes some secrets.
 * box/page/17
 * @param {Field} field
 * @param {Mode} mode
 */
export function fieldProblem({ setting, value, isTouched, isMalformed }, mode) {
  const label = setting.label || setting.name;
  if (isMalformed) return `${label} has to be a number.`;
  const current = isTouched ? value : setting.value;
  if (mode === 'install' && setting.required && !setting.generate && current.trim() === '')
    return `${label} has to be filled in.`;
  return '';
}

/**
 * The password fields that are empty at an install, without those of secrets that the box makes.
 * @param {Field[]} fields
 */
export function emptyPasswords(fields) {
  return fields.filter(({ setting, value }) => isPassword(setting) && !setting.generate && value === '');
}

/**
 * Whether a text has the name of a setting as a word of its own.
 * @param {string} text
 * @param {string} name
 */
export function namedIn(text, name) {
  return text.split(/\W+/).includes(name);
}

/** @param {SettingEntry} setting */
export function isPassword(setting) {
  return setting.type === 'password';
}

/** Letters and digits that look different from each other and need no quoting. */
const passwordAlphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';

/** A password of 24 characters, about 140 bits. */
export function makePassword() {
  // 32 bits are so many that their remainder makes no letter likelier.
  const numbers = crypto.getRandomValues(new Uint32Array(24));
  return Array.from(numbers, (number) => passwordAlphabet[number % passwordAlphabet.length]).join('');
}
