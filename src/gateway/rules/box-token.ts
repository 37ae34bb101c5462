const prefix = 'bgt_';
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const form = /^bgt_([A-Za-z0-9_-]{43})([A-Za-z0-9]{6})$/;

/**
 * A box token of 256 random bits in base64url. Scanners for leaked secrets can search for its prefix; its check characters
 * show a typing error without a look-up.
 * choice/gateway/58
 */
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

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let i = 0; i < text.length; i += 1) {
    crc = (crc >>> 8) ^ (crcTable[(crc ^ text.charCodeAt(i)) & 0xff] as number);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
