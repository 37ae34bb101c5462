type MessageRequest = { headers: Readonly<Record<string, string>>; body: string };

/** A service whose web-hooks take JSON of its own form only. */
type ChatService = {
  host: RegExp;
  path: RegExp;
  parameter?: string;
  /** The form of its addresses. */
  form: string;
  body(text: string, url: URL): object;
};

const chatServices: readonly ChatService[] = [
  {
    host: /(?:^|\.)discord(?:app)?\.com$/,
    path: /^\/api(?:\/v\d+)?\/webhooks\/\d+\/[\w-]+\/?$/,
    form: 'https://discord.com/api/webhooks/ID/TOKEN',
    // The name of an app mentions nobody.
    body: (content) => ({ content, allowed_mentions: { parse: [] } }),
  },
  {
    host: /(?:^|\.)slack(?:-gov)?\.com$/,
    path: /^\/services\/T\w+\/B\w+\/\w+\/?$/,
    form: 'https://hooks.slack.com/services/T…/B…/TOKEN',
    body: (text) => ({ text: text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') }),
  },
  {
    host: /(?:^|\.)telegram\.org$/,
    path: /^\/bot\d+:[\w-]+\/sendMessage\/?$/i,
    parameter: 'chat_id',
    form: 'https://api.telegram.org/botTOKEN/sendMessage?chat_id=ID',
    body: (text, { searchParams }) => ({ chat_id: searchParams.get('chat_id'), text }),
  },
];

/** Parts of an address that are shorter are words rather than secrets. */
const shortestSecret = 4;

/** Why messages cannot be sent to this address; `null` if they can. Does not repeat the address, which may have a secret. */
export function notifyAddressFault(text: string): string | null {
  const url = URL.parse(text);
  if (url === null && /^https?:\/\/[^@/?#\\]*[/?#\\][^@]*@/i.test(text)) {
    return 'expected %2F, %3F, %23 and %5C in place of /, ?, # and \\ in the user name or password of the address';
  }
  if (url === null || !['http:', 'https:'].includes(url.protocol) || text.length > 2048) {
    return 'expected an address that begins with https:// or http://';
  }
  if ([url.username, url.password].some((part) => decoded(part) === null)) {
    return 'expected %25 in place of a % in the user name or password of the address';
  }
  const { path, parameter, form } = chatServiceOf(url) ?? {};
  const hasParameter = parameter === undefined || Boolean(url.searchParams.get(parameter));
  const isWhole = hasParameter && path?.test(url.pathname) !== false;
  return isWhole ? null : `expected an address of the form ${form}: the service takes messages at no other one`;
}

/**
 * A message as the other side takes it: Discord, Slack, Telegram and Gotify as JSON, ntfy and every other web-hook as
 * plain text with a title.
 */
export function messageRequest(address: string, { title, text }: { title: string; text: string }): MessageRequest {
  const url = new URL(address);
  const service = chatServiceOf(url);
  if (service !== undefined) return json(service.body(`${title}\n${text}`, url));
  if (/\/message\/?$/.test(url.pathname) && url.searchParams.has('token')) return json({ title, message: text });
  return { headers: { 'Content-Type': 'text/plain; charset=utf-8', Title: headerText(title) }, body: text };
}

function chatServiceOf({ hostname, pathname }: URL): ChatService | undefined {
  return chatServices.find(({ host, path }) => host.test(hostname) || path.test(pathname));
}

function json(body: object): MessageRequest {
  return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}

/** The part of an address that is no secret. */
export function shownAddress(address: string): string {
  return new URL(address).host;
}

/** The answer of the other side in one line, without what could be a secret of the address. */
export function maskAddress(text: string, address: string): string {
  const { pathname, search, username, password } = new URL(address);
  const parts = [...`${pathname}${search}`.split(/[/?&=:]/), username, password];
  const secrets = parts
    .flatMap((part) => [part, decoded(part) ?? part])
    .filter(({ length }) => length >= shortestSecret);
  const longestFirst = [address, ...secrets].toSorted((a, b) => b.length - a.length);
  return longestFirst.reduce((masked, secret) => masked.replaceAll(secret, '***'), text);
}

/** `null` if a percent sign in it begins no escape. */
function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/** RFC 2047 for other characters than those of ASCII. */
function headerText(text: string): string {
  if (/^[ -~]*$/.test(text)) return text;
  return `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;
}
