import type { GatewayPorts } from '../ports.ts';
import { coalesce } from '../rules/coalesce.ts';

/** Changes that follow each other closely share a look. */
const betweenLooksMs = 1000;

/**
 * Reports files in the routes directory that are not ours and stop the proxy from reading any route. Each call looks
 * once more; a file is reported once for as long as it is there with the same fault, and never touched. The gateway
 * calls this at its start and after each change of a route file.
 * choice/gateway/97
 */
export function makeInvalidFileReports(
  ports: Pick<GatewayPorts, 'routeFiles' | 'pause' | 'warn'>,
): () => Promise<void> {
  let told = new Set<string>();
  return coalesce(async () => {
    const lines = await invalidFileLines(ports.routeFiles);
    for (const line of lines) {
      if (!told.has(line)) ports.warn(line);
    }
    told = new Set(lines);
    await ports.pause(betweenLooksMs);
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
    return [(error as Error).message]; // A directory that cannot be read stops the proxy as well.
  }
}
