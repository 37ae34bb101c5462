import { type Exchange, parseJson } from '../kernel/exchange.ts';
import { namedTexts } from './named-texts.ts';

/** Removes secrets from a text, in every spelling. */
export type Clean = (text: string) => string;

const hidden = '[secret]';
/** Shorter texts are common words. Hiding them would hide half of a report. */
const shortest = 8;

/** Hides secrets in texts: verbatim, as JSON, in a URL, in base64, and cut off at the end of the text. */
export function cleaner(secrets: Iterable<string>): Clean {
  const known = [...new Set(secrets)].filter((secret) => secret.length >= shortest);
  const forms = [...new Set(known.flatMap(spellings))].sort((one, other) => other.length - one.length);
  return (text) => {
    const whole = forms.reduce((clean, form) => clean.replaceAll(form, hidden), text);
    return forms.reduce(withoutBeginning, whole);
  };
}

function spellings(secret: string): string[] {
  const base64 = Buffer.from(secret)
    .toString('base64')
    .replace(/={1,2}$/, '');
  const url = Buffer.from(secret).toString('base64url');
  const json = JSON.stringify(secret).slice(1, -1);
  const twice = JSON.stringify(json).slice(1, -1);
  const quoted = secret.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
  return [secret, json, twice, quoted, encodeURIComponent(secret.toWellFormed()), base64, url];
}

function withoutBeginning(text: string, secret: string): string {
  for (let length = secret.length - 1; length >= shortest; length -= 1) {
    if (text.endsWith(secret.slice(0, length))) return text.slice(0, -length) + hidden;
  }
  return text;
}

const secretKey = /^((box|registration)_?)?token$|private_?key|preshared_?key/i;
const keyLine = /^[ \t]*(?:PrivateKey|PresharedKey)[ \t]*=[ \t]*(\S+)/gm;

/** The secrets in an exchange that their names identify, whether the check hid them or not. */
export function secretsIn(one: Pick<Exchange, 'json' | 'requestBody' | 'requestHeaders'>): string[] {
  const authorization = one.requestHeaders.Authorization ?? '';
  const bearer = /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '';
  return [bearer, ...namedSecrets(one.json), ...namedSecrets(parseJson(one.requestBody.toString('utf8')))];
}

function namedSecrets(value: unknown): string[] {
  return namedTexts(value).flatMap(([key, text]) => {
    const keys = [...text.matchAll(keyLine)].map(([, found = '']) => found);
    return secretKey.test(key) ? [text, ...keys] : keys;
  });
}
