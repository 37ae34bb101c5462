import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Configuration, emptyConfiguration, mergeFiles } from './model/configuration.ts';
import { isRead, readDirectory, type Unusable } from './model/read-directory.ts';
import { type Router, routersOf, type Started } from './model/routers.ts';
import { eventsAreDelivered, watchDirectory } from './watched-directory.ts';

/**
 * The file provider: reads the whole directory at the start and after every event, and serves the last valid
 * configuration. One invalid file blocks all changes until it is removed.
 */
export type Provider = {
  routers: () => Router[];
  readonly events: number;
  readonly reads: number;
  readonly blocked: Unusable | null;
  settled: () => Promise<void>;
  close: () => void;
};

export function startProvider(
  directory: string,
  started: Started & { environment: Record<string, string | undefined> },
  log: (line: string) => void,
): Provider {
  let served: Configuration = emptyConfiguration;
  let routers: Router[] = [];
  let blocked: Unusable | null = null;
  let reads = 0;

  const serve = (configuration: Configuration) => {
    if (isDeepStrictEqual(configuration, served)) return;
    served = configuration;
    routers = routersOf(configuration, started);
    for (const line of remarks(routers, started)) log(line);
  };

  const read = (event: string) => {
    if (statSync(directory, { throwIfNoEntry: false }) === undefined) {
      log(`ERR Unable to watch ${directory}`);
      return;
    }
    reads += 1;
    const reading = readDirectory(directory, started.environment);
    blocked = reading.unusable;
    if (reading.unusable !== null) {
      const { file, reason } = reading.unusable;
      log(`ERR ${event} error="collecting file configs: ${file}: ${reason}" providerName=file`);
      return;
    }
    const configuration = mergeFiles(reading.files.map((each) => each.configuration));
    for (const { kind, name } of configuration.taken)
      log(`WRN HTTP ${kind} already configured, skipping providerName=file ${kind}Name=${name}`);
    serve(configuration);
  };

  const fault = cannotStart(directory);
  const changed = () => read('Error occurred during watcher callback');
  const watched = fault === null ? watchDirectory(directory, changed) : null;
  if (fault === null) read('Error while building configuration (for the first time)');
  else log(`ERR Cannot start the provider *file.Provider error="${fault}"`);
  return {
    routers: () => routers,
    get events() {
      return watched?.events ?? 0;
    },
    get reads() {
      return reads;
    },
    get blocked() {
      return blocked;
    },
    settled: eventsAreDelivered,
    close: () => watched?.close(),
  };
}

/**
 * Why the provider cannot start, or `null`. The provider watches every file in the directory itself, so a single
 * dangling link prevents the start.
 */
function cannotStart(directory: string): string | null {
  try {
    for (const name of readdirSync(directory).filter(isRead)) statSync(join(directory, name));
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Log lines about the routers of a new configuration. */
function remarks(routers: Router[], { certResolvers }: Started): string[] {
  return routers.flatMap(({ name, errors, fields }) => {
    const resolver = fields.tls?.certResolver ?? '';
    const unknown = resolver !== '' && !certResolvers.includes(resolver);
    return [
      ...errors.map((error) => `ERR error="${error}" routerName=${name}@file`),
      ...(unknown
        ? [`ERR Router uses a nonexistent certificate resolver certificateResolver=${resolver} routerName=${name}@file`]
        : []),
    ];
  });
}
