import type {
  FileConfiguration,
  MiddlewareFields,
  RouterFields,
  ServiceFields,
  TransportFields,
} from './shape-of-file.ts';

/** The merged configuration of all files. `taken` lists the names that a later file repeated. */
export type Configuration = {
  routers: Record<string, RouterFields>;
  services: Record<string, ServiceFields>;
  middlewares: Record<string, MiddlewareFields>;
  transports: Record<string, TransportFields>;
  taken: { kind: 'router' | 'service' | 'middleware' | 'servers transport'; name: string }[];
};

export const emptyConfiguration: Configuration = {
  routers: {},
  services: {},
  middlewares: {},
  transports: {},
  taken: [],
};

/** The first file with a name defines it. */
export function mergeFiles(files: FileConfiguration[]): Configuration {
  const all = structuredClone(emptyConfiguration);
  for (const { http } of files) {
    take(all, 'router', all.routers, http?.routers);
    take(all, 'service', all.services, http?.services);
    take(all, 'middleware', all.middlewares, http?.middlewares);
    take(all, 'servers transport', all.transports, http?.serversTransports);
  }
  return all;
}

function take<T>(
  all: Configuration,
  kind: Configuration['taken'][number]['kind'],
  into: Record<string, T>,
  from: Record<string, T> = {},
): void {
  for (const [name, one] of Object.entries(from)) {
    if (Object.hasOwn(into, name)) all.taken.push({ kind, name });
    else into[name] = one;
  }
}
