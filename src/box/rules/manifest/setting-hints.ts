import { isJsonObject } from '../../../lib/json.ts';

/** A secret that the box makes. `length` counts characters for `hex`, and bytes before encoding for `base64`. */
export type Generate = { length: number; encoding: 'hex' | 'base64' };

/** What a manifest may say of a setting beyond the requirements. Each is left out if it is absent or ignored. */
export type SettingHints = {
  /** The values of a `select`; the texts of a `boolean` for on and off; else values to suggest. */
  options?: string[];
  /** Only of a password. */
  generate?: Generate;
  /** The form folds the setting. */
  advanced?: true;
  address?: AddressPart;
};

const addressParts = ['url', 'host', 'protocol', 'ip'] as const;
/** `host` has a port if the address has one; `ip` is that of the machine in its network. */
export type AddressPart = (typeof addressParts)[number];

type Declared = { name: string; type: string; default: string | null; [field: string]: unknown };

const mostGenerated = 1024;

/** The hints of a setting, and a sentence about each part of them that has no effect. */
export function settingHints(setting: Declared): { hints: SettingHints; faults: string[] } {
  const { name, type, options, generate, advanced, address } = setting;
  const texts = Array.isArray(options) ? options.filter((one) => typeof one === 'string') : [];
  const isMade = type === 'password' && isGenerate(generate);
  const part = addressParts.find((one) => one === address);
  const hints = {
    ...(texts.length > 0 && { options: texts }),
    ...(isMade && { generate: { length: generate.length, encoding: generate.encoding } }),
    ...(advanced === true && { advanced: true as const }),
    ...(part !== undefined && { address: part }),
  };
  const faults = [optionsFault(setting, texts), generateFault(type, generate), advancedFault(advanced)];
  if (address !== undefined && part === undefined)
    faults.push(`address is ignored: expected ${addressParts.join(', ')}`);
  return { hints, faults: faults.flatMap((fault) => (fault === null ? [] : [`setting ${name}: ${fault}`])) };
}

function isGenerate(value: unknown): value is Generate {
  if (!isJsonObject(value)) return false;
  const { length, encoding } = value;
  const isLength = Number.isInteger(length) && Number(length) >= 1 && Number(length) <= mostGenerated;
  return isLength && (encoding === 'hex' || encoding === 'base64');
}

function optionsFault({ type, default: initial, options }: Declared, texts: readonly string[]): string | null {
  if (type === 'boolean' && texts.length !== 2) {
    return 'its form has a text field: a boolean needs two options, first the text for on, then that for off';
  }
  if (type === 'select' && texts.length === 0) return 'its form has a text field: a select needs a list of options';
  if (options !== undefined && !(Array.isArray(options) && options.length > 0 && texts.length === options.length)) {
    return 'options: expected a list of texts; anything else in it is ignored';
  }
  const isClosed = type === 'boolean' || type === 'select';
  if (isClosed && initial && !texts.includes(initial)) return 'its default is none of its options';
  return null;
}

function generateFault(type: string, generate: unknown): string | null {
  if (generate === undefined) return null;
  if (type !== 'password') return 'generate is ignored: it needs the type password, so that no answer has the secret';
  if (isGenerate(generate)) return null;
  return `generate is ignored: expected a length from 1 to ${mostGenerated} and the encoding hex or base64`;
}

function advancedFault(advanced: unknown): string | null {
  return advanced === undefined || typeof advanced === 'boolean' ? null : 'advanced is ignored: expected true or false';
}
