import type { Service } from './exchange.ts';
import { listen } from './listen.ts';

export async function whileServingMetrics(
  address: { host: string; port: number; setting?: string },
  metrics: Metrics,
  version: string,
  work: () => Promise<void>,
): Promise<void> {
  const listening = await listen({ ...address, service: metricsService(metrics, version), drainMs: 1000 });
  try {
    await work();
  } finally {
    await listening.close();
  }
}

/** Produces the text of the metrics for each request. */
export type Metrics = { type: string; text(): Promise<string> };

/** Serves `GET /metrics` and nothing else. `version` is the software's. choice/box/331, choice/gateway/333 */
export function metricsService(metrics: Metrics, version: string): Service {
  const error = (status: number, text: string) => ({ status, body: { error: text } });
  const match = { operationId: 'metrics', params: {} };
  return {
    server: `boxgate/${version}`,
    maxBodyBytes: 0,
    headIsGet: true,
    admit: () => undefined,
    readBody: () => null,
    match: ({ method, path }) => (method === 'GET' && path === '/metrics' ? match : null),
    refuseUnknown: () => error(404, 'not found'),
    handle: async () => ({ status: 200, type: metrics.type, body: await metrics.text() }),
    refusalReply: () => null,
    malformed: (reason) => error(400, `malformed HTTP request: ${reason}`),
    unknownMethod: () => error(404, 'not found'),
    bodyTooLarge: () => error(413, 'a request for metrics has no body'),
    internalError: (id) => error(500, `internal error (${id})`),
  };
}
