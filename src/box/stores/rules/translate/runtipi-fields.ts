import { asList, asRecord, type Fields } from '../../../rules/compose/fields.ts';
import type { StoreSetting } from '../../../rules/translate/draft.ts';
import { leaveOut, oneLine } from '../../../rules/translate/translation.ts';

type Kind = Pick<StoreSetting, 'type'> & { form?: string };

/** What each type of a form field is here; a form that is not checked here is named in the description. */
const kinds = new Map<string, Kind>([
  ['text', { type: 'text' }],
  ['password', { type: 'password' }],
  ['random', { type: 'password' }],
  ['number', { type: 'number' }],
  ['boolean', { type: 'boolean' }],
  ['email', { type: 'text', form: 'An e-mail address.' }],
  ['url', { type: 'text', form: 'An address that begins with http:// or https://.' }],
  ['ip', { type: 'text', form: 'An IP address.' }],
  ['fqdn', { type: 'text', form: 'A domain name.' }],
  ['fqdnip', { type: 'text', form: 'A domain name or an IP address.' }],
]);

/** Runtipi cuts its random texts from 32 bytes. */
const mostRandom = { hex: 64, base64: 32 };

/** The setting of one form field of Runtipi. */
export function fieldSetting(field: Fields): StoreSetting {
  const name = oneLine(field.env_variable);
  const kind = kinds.get(oneLine(field.type));
  if (kind === undefined) leaveOut(`its setting "${name}" has the unknown type ${JSON.stringify(oneLine(field.type))}`);
  const options = asList(field.options).map(asRecord);
  const values = options.map(({ value }) => oneLine(value)).filter((value) => value !== '');
  return {
    name,
    label: oneLine(field.label) || name,
    description: descriptionOf(field, kind, options),
    type: values.length > 0 ? 'select' : kind.type,
    required: field.required === true && field.type !== 'random',
    default: presetOf(field),
    ...(values.length > 0 && { options: values }),
    ...(field.type === 'boolean' && { options: ['true', 'false'] }),
    ...(field.type === 'random' && { generate: generateOf(field), advanced: true as const }),
  };
}

function presetOf({ type, default: preset }: Fields): string | null {
  if (['string', 'number', 'boolean'].includes(typeof preset) && preset !== '') return oneLine(String(preset), 2000);
  return type === 'boolean' ? 'false' : null;
}

function generateOf({ min, encoding }: Fields): NonNullable<StoreSetting['generate']> {
  const form = encoding === 'base64' ? 'base64' : 'hex';
  const length = isCount(min) && min > 0 ? min : 32;
  return { length: Math.min(length, mostRandom[form]), encoding: form };
}

function descriptionOf(field: Fields, { form = '' }: Kind, options: readonly Fields[]): string {
  const choices = options
    .filter(({ label, value }) => oneLine(label) !== oneLine(value))
    .map(({ label, value }) => `${oneLine(value)}: ${oneLine(label)}`);
  const parts = [
    ended(oneLine(field.hint)),
    form,
    oneLine(field.placeholder) === '' ? '' : `Such as ${oneLine(field.placeholder)}.`,
    field.type === 'random' ? '' : lengthsOf(field),
    choices.length === 0 ? '' : `${choices.slice(0, 12).join('; ')}.`,
    oneLine(field.pattern_error) || patternOf(field),
  ];
  return parts.filter((part) => part !== '').join(' ');
}

function patternOf({ regex }: Fields): string {
  const pattern = oneLine(regex);
  return pattern === '' ? '' : `It has to match ${pattern}`;
}

function lengthsOf({ type, min, max }: Fields): string {
  const unit = type === 'number' ? '' : ' characters';
  const least = isCount(min) ? `at least ${min}${unit}` : '';
  const most = isCount(max) ? `at most ${max}${unit}` : '';
  const text = [least, most].filter((part) => part !== '').join(', ');
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function ended(text: string): string {
  return text === '' || /[.!?…:]$/.test(text) ? text : `${text}.`;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
