import { asRecord } from '../compose/fields.ts';
import { addSetting, type Draft, fillIn, freeName } from './draft.ts';
import { leaveOut, oneLine } from './translation.ts';

/** A published port; texts, because they may be ranges or have variables. */
type StorePort = { address: string; published: string; target: string; protocol: string; label: string };

const plainPort = /^[1-9]\d{0,4}$/;
const span = /^(\d{1,5})(?:-(\d{1,5}))?$/;
const mostPort = 65_535;

export function portText(value: unknown): string | null {
  const text = oneLine(value);
  return plainPort.test(text) && Number(text) <= mostPort ? text : null;
}

/** Compose's short texts of ports. Each published port becomes a setting; that of the app's page is `APP_PORT`. */
export function portsOf(draft: Draft, ports: readonly unknown[], page: string | null): string[] {
  return ports.map((port) => {
    const { address, published, target, protocol, label } = readPort(draft, port);
    const suffix = protocol === '' || protocol === 'tcp' ? '' : `/${protocol}`;
    if (published === '') return `${target}${suffix}`;
    const from = portText(published) === null ? published : portSetting(draft, { published, label }, page);
    return `${address === '' ? '' : `${address}:`}${from}:${target}${suffix}`;
  });
}

function portSetting(draft: Draft, port: Pick<StorePort, 'published' | 'label'>, page: string | null): string {
  const { published, label } = port;
  const isPage = published === page;
  if (isPage) draft.isPagePublished = true;
  const name = isPage ? 'APP_PORT' : `PORT_${published}`;
  if (draft.settings.get(name)?.default === published) return `\${${name}:-${published}}`;
  const own = freeName(draft, name);
  addSetting(draft, own, {
    label: isPage ? 'Port' : `Port ${published}`,
    description: `The port of this machine that the app answers on. ${label}`.trim(),
    type: 'number',
    default: published,
    ...(isPage ? {} : { advanced: true }),
  });
  return `\${${own}:-${published}}`;
}

function readPort(draft: Draft, port: unknown): StorePort {
  const read = typeof port === 'object' ? longPort(draft, port) : shortPort(fillIn(draft, String(port)));
  const { address, published, target, protocol } = read;
  const isValid =
    isPortOrSpan(target) &&
    (published === '' || published === '0' || isPortOrSpan(published)) &&
    /^(?:tcp|udp|sctp)?$/.test(protocol) &&
    /^(?:[\d.]*|\[[\da-f:]*\]|\$\{[^{}]*\})$/i.test(address);
  if (!isValid) leaveOut(`it publishes a port with an unknown form: ${oneLine(JSON.stringify(port))}`);
  return read;
}

/** A port, several of them as `80-90`, or a variable. */
function isPortOrSpan(text: string): boolean {
  if (/^\$\{[^{}]*\}$/.test(text)) return true;
  const [, first, last = first] = span.exec(text) ?? [];
  return Number(first) > 0 && Number(last) >= Number(first) && Number(last) <= mostPort;
}

function longPort(draft: Draft, port: unknown): StorePort {
  const { target, published, protocol, host_ip, label } = asRecord(port);
  const text = (value: unknown) => fillIn(draft, typeof value === 'object' && value !== null ? '{}' : oneLine(value));
  return {
    address: text(host_ip),
    published: text(published),
    target: text(target),
    protocol: text(protocol).toLowerCase(),
    label: oneLine(label),
  };
}

function shortPort(text: string): StorePort {
  const [ports = '', protocol = ''] = text.split('/');
  const parts = splitOutsideBraces(ports);
  const [target = '', published = ''] = parts.toReversed();
  return { address: parts.slice(0, -2).join(':'), published, target, protocol, label: '' };
}

/** Splits a short text of Compose at its colons, but not at those of variables. */
export function splitOutsideBraces(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const char of text) {
    if (char === '{') depth += 1;
    if (char === '}') depth -= 1;
    if (char === ':' && depth <= 0) parts.push('');
    else parts[parts.length - 1] += char;
  }
  return parts;
}
