import { listen } from './listen.ts';
import { type Metrics, metricsService } from './metrics-service.ts';

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
