import { crc32 } from 'node:zlib';

const prefix = 'bgt_';
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const form = /^bgt_([A-Za-z0-9_-]{43})([A-Za-z0-9]{6})$/;

/** Scanners find leaked tokens by the prefix. The check characters show a typing error. choice/gateway/58 */
export function boxTokenOf(random: string): string {
  return prefix + random + checkCharacters(random);
}

/** Whether a text has the form and the check characters of a box token. */
export function isBoxToken(text: string): boolean {
  const [, random = '', check] = form.exec(text) ?? [];
  return check !== undefined && checkCharacters(random) === check;
}

/** The CRC-32 of the random part in base 62, as in tokens of GitHub. */
function checkCharacters(text: string): string {
  let rest = crc32(text);
  let characters = '';
  for (let i = 0; i < 6; i += 1) {
    characters = digits.charAt(rest % 62) + characters;
    rest = Math.floor(rest / 62);
  }
  return characters;
}
