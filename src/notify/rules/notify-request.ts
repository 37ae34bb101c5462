export type Message = { title: string; text: string };

export type MessageRequest = { headers: Readonly<Record<string, string>>; body: string };

/** Parts of an address that are shorter are words rather than secrets. */
const shortestSecret = 4;

/** Whether messages can be sent to this address. */
export function isNotifyAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && ['http:', 'https:'].includes(url.protocol) && text.length <= 2048;
}

/** A message as the other side takes it: Gotify as JSON, ntfy and every other web-hook as plain text with a title. */
export function messageRequest(address: string, { title, text }: Message): MessageRequest {
  const { pathname, searchParams } = new URL(address);
  if (/\/message\/?$/.test(pathname) && searchParams.has('token')) {
    return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ title, message: text }) };
  }
  return { headers: { 'Content-Type': 'text/plain; charset=utf-8', Title: headerText(title) }, body: text };
}

/** The part of an address that is no secret. */
export function shownAddress(address: string): string {
  return new URL(address).host;
}

/** The answer of the other side in one line, without what could be a secret of the address. */
export function maskAddress(text: string, address: string): string {
  const { pathname, search, username, password } = new URL(address);
  const parts = [...`${pathname}${search}`.split(/[/?&=]/), username, password];
  const secrets = parts.flatMap((part) => [part, decoded(part)]).filter(({ length }) => length >= shortestSecret);
  const longestFirst = [address, ...secrets].toSorted((a, b) => b.length - a.length);
  return longestFirst.reduce((masked, secret) => masked.replaceAll(secret, '***'), text);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // A lone percent sign is not an escape.
  }
}

/** RFC 2047 for other characters than those of ASCII. */
function headerText(text: string): string {
  if (/^[ -~]*$/.test(text)) return text;
  return `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;
}
