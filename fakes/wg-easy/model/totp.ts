import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Two-factor codes (RFC 6238: SHA-1, six digits, 30 seconds). */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const stepMs = 30_000;

/** 160 random bits in base32. */
export function newTotpKey(): string {
  return [...randomBytes(32)].map((byte) => alphabet[byte % alphabet.length]).join('');
}

export function totpCode(key: string, now: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now / stepMs)));
  const digest = createHmac('sha1', decodeBase32(key)).update(counter).digest();
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

/** Accepts the codes of this and the adjacent time steps. */
export function isTotpCode(key: string, code: unknown, now: number): boolean {
  if (typeof code !== 'string' || !/^\d{6}$/.test(code)) return false;
  const given = Buffer.from(code);
  return [-stepMs, 0, stepMs].some((shift) => timingSafeEqual(given, Buffer.from(totpCode(key, now + shift))));
}

function decodeBase32(text: string): Buffer {
  let bits = 0n;
  for (const character of text) bits = (bits << 5n) | BigInt(alphabet.indexOf(character));
  return Buffer.from(bits.toString(16).padStart((text.length * 5) / 4, '0'), 'hex');
}
