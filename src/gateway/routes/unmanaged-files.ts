import { coalesce } from '../../lib/coalesce.ts';
import type { GatewayPorts } from '../ports.ts';

/** Time between two searches. Changes within it share one. */
const betweenSearchesMs = 1000;

/**
 * Reports unmanaged files in the routes directory that stop the proxy from reading any route. A file with the same fault
 * is reported once, and never changed. The gateway searches at its start and after each change of a route file.
 * choice/gateway/568
 */
export function makeInvalidFileReports(
  ports: Pick<GatewayPorts, 'routeFiles' | 'pause' | 'warn'>,
): () => Promise<void> {
  let reported = new Set<string>();
  return coalesce(async () => {
    const lines = await invalidFileLines(ports.routeFiles);
    for (const line of lines) {
      if (!reported.has(line)) ports.warn(line);
    }
    reported = new Set(lines);
    await ports.pause(betweenSearchesMs);
  });
}

async function invalidFileLines(routeFiles: GatewayPorts['routeFiles']): Promise<string[]> {
  try {
    const files = await routeFiles.invalidFiles();
    return files.map(
      ({ name, reason }) =>
        `the file ${JSON.stringify(name)} in the routes directory keeps the proxy from reading any route: ${reason}`,
    );
  } catch (error) {
    return [(error as Error).message]; // The proxy cannot read such a directory either.
  }
}
