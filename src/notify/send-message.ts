import { type IncomingMessage, request as plainRequest, STATUS_CODES } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { hostname } from 'node:os';
import { trustSystemCertificates } from '../lib/network/system-certificates.ts';
import { userAgent } from '../lib/network/user-agent.ts';
import { shownName } from '../lib/shown-text.ts';
import type { Sent } from './ports.ts';
import { maskAddress, messageRequest } from './rules/notify-request.ts';

const answerMs = 10_000;
const mostAnswerBytes = 4096;
const mostShown = 300;

/**
 * Posts a message, whose title names this machine. A redirection is not followed, because it would take the message and
 * the token elsewhere. Never throws: an address that Node refuses is an answer too.
 */
export async function sendMessage(address: string, text: string, timeoutMs = answerMs): Promise<Sent> {
  try {
    return await post(address, text, timeoutMs);
  } catch (error) {
    return { isSent: false, answer: `cannot be used: ${shown((error as Error).message, address)}` };
  }
}

function post(address: string, text: string, timeoutMs: number): Promise<Sent> {
  const url = new URL(address);
  const isTls = url.protocol === 'https:';
  if (isTls) trustSystemCertificates();
  const { headers, body } = messageRequest(address, { title: `boxgate on ${hostname()}`, text });
  const options = {
    method: 'POST',
    headers: { ...headers, ...userAgent, 'Content-Length': Buffer.byteLength(body) },
    agent: false as const,
    signal: AbortSignal.timeout(timeoutMs),
  };
  return new Promise((resolve) => {
    const request = (isTls ? tlsRequest : plainRequest)(url, options, async (response) => {
      const { statusCode: status = 0 } = response;
      const said = shown(await startOf(response), address);
      const answer = `answered ${status} ${STATUS_CODES[status] ?? ''}`.trim();
      resolve({ isSent: status >= 200 && status <= 299, answer: said === '' ? answer : `${answer}: ${said}` });
    });
    // Node closes it otherwise, and there would be neither an answer nor an error.
    request.on('upgrade', ({ statusCode }, socket) => {
      socket.destroy();
      resolve({ isSent: false, answer: `answered ${statusCode}` });
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      const isLate = error.name === 'AbortError';
      // Several addresses of one name fail with an error without a message.
      const problem = error.code ?? error.message;
      const answer = isLate ? `did not answer within ${timeoutMs / 1000} s` : `cannot be reached: ${problem}`;
      resolve({ isSent: false, answer: shown(answer, address) });
    });
    request.end(body);
  });
}

/** The first piece of the answer; empty without one. */
async function startOf(response: IncomingMessage): Promise<string> {
  try {
    for await (const chunk of response) return (chunk as Buffer).toString('utf8', 0, mostAnswerBytes);
  } catch {
    // The answer was cut off. The status is enough.
  }
  return '';
}

function shown(text: string, address: string): string {
  return shownName(maskAddress(text, address).replace(/\s+/g, ' ').trim().slice(0, mostShown));
}
