import { isJsonObject, parseJson } from '../../../lib/json.ts';
import { boundedBytes } from '../../../lib/network/bounded-bytes.ts';
import type { ProxyRouter, ProxyState } from '../../doctor/rules/proxy-diagnosis.ts';

const answerMs = 5000;
const mostBytes = 32 * 1024 * 1024;

/** Reads an entry point and all routers from Traefik's API; `null` without such an API at the address. */
export async function readProxyState(api: string, entrypoint: string): Promise<ProxyState | null> {
  try {
    const point = await get(new URL(`/api/entrypoints/${entrypoint}`, api));
    // Without a number there are 100 routers a page.
    const routers = await get(new URL('/api/http/routers?per_page=1000000', api));
    if (!isJsonObject(point) || !Array.isArray(routers)) return null;
    const transport = isJsonObject(point.transport) ? point.transport : {};
    const { readTimeout = '0s' } = isJsonObject(transport.respondingTimeouts) ? transport.respondingTimeouts : {};
    return {
      readTimeout: readTimeout === '0s' ? null : String(readTimeout),
      routers: routers.filter(isJsonObject).map(routerOf),
    };
  } catch {
    return null; // Nothing listens there, or another program answers.
  }
}

/** What Traefik serves for Prometheus; empty if it serves none. */
export async function readTrafficText(api: string): Promise<string> {
  return (await getText(new URL('/metrics', api)).catch(() => null)) ?? '';
}

function routerOf({ name, status, error, rule, priority, using }: Record<string, unknown>): ProxyRouter {
  return {
    name: String(name),
    status: String(status),
    error: Array.isArray(error) ? error.join('; ').slice(0, 300) : '',
    rule: String(rule),
    priority: Number(priority),
    using: Array.isArray(using) ? using.map(String) : [],
  };
}

async function get(url: URL): Promise<unknown> {
  const text = await getText(url);
  return text === null ? null : parseJson(text);
}

async function getText(url: URL): Promise<string | null> {
  const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(answerMs) });
  if (!answer.ok || answer.body === null) return null;
  return (await boundedBytes(answer.body, mostBytes))?.toString('utf8') ?? null;
}
