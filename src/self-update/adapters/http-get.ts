import { trustSystemCertificates } from '../../lib/system-certificates.ts';
import { addressFrom } from '../rules/feed-address.ts';

const maxRedirections = 5;
const redirections = [301, 302, 303, 307, 308];

/** An answer whose body is still to be read, and the address that it came from. */
export type HttpAnswer = { response: Response; address: URL };

/**
 * Asks a web server, and judges every address that it redirects to. `elsewhere` throws an error for an address that it
 * must not lead to. The caller reads or cancels the body.
 * choice/box/178, choice/box/360
 */
export async function httpGet(
  first: URL,
  options: { accept: string; signal: AbortSignal; elsewhere(target: string): never },
): Promise<HttpAnswer> {
  let address = first;
  for (let count = 0; count <= maxRedirections; count += 1) {
    if (address.protocol === 'https:') trustSystemCertificates();
    const response = await fetch(address, {
      // A compressed answer would have another size and digest than its publisher has signed.
      headers: { Accept: options.accept, 'Accept-Encoding': 'identity' },
      redirect: 'manual',
      signal: options.signal,
    });
    const named = redirections.includes(response.status) ? response.headers.get('location') : null;
    if (named === null) return { response, address };
    await response.body?.cancel();
    const next = addressFrom(address.href, named);
    if (next === null) options.elsewhere(URL.parse(named, address.href)?.href ?? named);
    address = next;
  }
  throw new Error(`it redirects more than ${maxRedirections} times`);
}

/** `fetch` hides why it failed in the cause of its error. */
export function problemOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message !== '' ? cause.message : message;
}
