import type { Service } from './exchange.ts';
import { pathOf } from './match.ts';
import type { Reply } from './reply.ts';

/** An error of a connection, as the event `clientError` reports it. */
export type ParseError = NodeJS.ErrnoException & { rawPacket?: Buffer; bytesParsed?: number };

/**
 * The reply to bytes that Node could not parse; `null` if the client is gone or too slow.
 * choice/box/14, choice/box/15, choice/gateway/2
 */
export function replyToParseError(error: ParseError, service: Service): Reply | null {
  const { code = '', message } = error;
  if (['ECONNRESET', 'ERR_HTTP_REQUEST_TIMEOUT', 'HPE_CLOSED_CONNECTION'].includes(code)) return null;
  if (code === 'HPE_HEADER_OVERFLOW') return service.malformed('its headers are too large');
  const [, target] = /^[A-Z]+ (\S+) HTTP\/1\.[01]$/.exec(faultyLine(error)) ?? [];
  if (code === 'HPE_INVALID_METHOD' && target !== undefined) return service.unknownMethod(pathOf(target));
  return service.malformed(message.replace(/^Parse Error: /, ''));
}

/** The line at which the parser stopped. */
function faultyLine({ rawPacket, bytesParsed = 0 }: ParseError): string {
  const packet = rawPacket?.toString('latin1') ?? '';
  const from = bytesParsed === 0 ? 0 : packet.lastIndexOf('\n', bytesParsed - 1) + 1;
  return packet.slice(from).split('\r\n', 1)[0] ?? '';
}
