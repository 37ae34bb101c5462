/** Shorter codes of a secret could be part of any digest or id. */
const shortestCode = 6;

/**
 * A secret in the spellings in which programs quote it: plain, in small letters and capitals, as in JSON (also as
 * `failureText` shows that), YAML, HTML, `.env`, a shell and a URL, and in hex and base64, also inside a longer text.
 * `deploy/SECURITY.md` lists them.
 */
export function spellings(secret: string): string[] {
  const codes = codesOf(Buffer.from(secret)).filter(({ length }) => length >= shortestCode);
  return [...new Set([secret, secret.toLowerCase(), secret.toUpperCase(), ...escapedForms(secret), ...codes])];
}

function escapedForms(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const url = encodeURIComponent(secret.toWellFormed());
  const strictUrl = url.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  return [
    json,
    json.replaceAll('\\"', '"'),
    json.replaceAll('/', '\\/'),
    json.replace(/[<>&]/g, escapedUnit),
    json.replace(/[^\0-~]/g, escapedUnit),
    secret.replace(/[\\"$]/g, '\\$&'),
    secret.replaceAll('$', '$$$$'),
    secret.replaceAll("'", "'\\''"),
    secret.replaceAll("'", `'"'"'`),
    secret.replaceAll("'", "''"),
    ...htmlForms(secret),
    ...[url, strictUrl].flatMap((one) => [
      one,
      one.replaceAll('%20', '+'),
      one.replace(/%../g, (code) => code.toLowerCase()),
    ]),
  ];
}

function escapedUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function htmlForms(secret: string): string[] {
  const html = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return [
    html,
    html.replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
    html.replaceAll('"', '&#34;').replaceAll("'", '&#39;'),
    html.replaceAll('"', '&quot;').replaceAll("'", '&#x27;'),
  ];
}

function codesOf(bytes: Buffer): string[] {
  const hex = bytes.toString('hex');
  const base64 = [
    bytes.toString('base64').replaceAll('=', ''),
    ...[0, 1, 2].map((offset) => innerBase64(bytes, offset)),
  ];
  const forUrls = base64.map((one) => one.replaceAll('+', '-').replaceAll('/', '_'));
  return [hex, hex.toUpperCase(), ...base64, ...forUrls];
}

/** The base64 characters that come from these bytes alone, `offset` bytes after a multiple of three. */
function innerBase64(bytes: Buffer, offset: number): string {
  const code = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString('base64')
    .replaceAll('=', '');
  const isWhole = (offset + bytes.length) % 3 === 0;
  return code.slice(offset === 0 ? 0 : offset + 1, isWhole ? undefined : -1);
}
