import type { GatewayPorts } from './ports.ts';

const againMs = 5 * 60_000;

/**
 * Tells the operator of files in the routes directory that are not ours and would stop the proxy from reading any
 * route: at a start, and of new ones now and then. They are never touched.
 * choice/gateway/97
 */
export async function watchForeignFiles(
  ports: Pick<GatewayPorts, 'routeFiles' | 'pause' | 'warn'>,
): Promise<void> {
  let told = new Set<string>();
  for (;;) {
    told = await tellOfNew(ports, told);
    await ports.pause(againMs);
  }
}

async function tellOfNew(
  { routeFiles, warn }: Pick<GatewayPorts, 'routeFiles' | 'warn'>,
  told: ReadonlySet<string>,
): Promise<Set<string>> {
  const lines = await harmLines(routeFiles);
  for (const line of lines) {
    if (!told.has(line)) warn(line);
  }
  return new Set(lines);
}

async function harmLines(routeFiles: GatewayPorts['routeFiles']): Promise<string[]> {
  try {
    const files = await routeFiles.harmful();
    return files.map(
      ({ name, reason }) =>
        `the file ${JSON.stringify(name)} in the routes directory keeps the proxy from reading any route: ${reason}`,
    );
  } catch (error) {
    return [(error as Error).message]; // A directory that cannot be read stops the proxy as well.
  }
}
