/** Selects the environment variables for `docker`: program paths, and how to reach an engine. */
export function dockerEnvironment(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const env: Record<string, string> = {};
  for (const name of Object.keys(environment)) {
    if (name !== 'PATH' && name !== 'HOME' && !name.startsWith('DOCKER_')) continue;
    const value = environment[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}

/**
 * The memory that `docker compose` may take, in KiB. A file that an app's Compose file names may be endless, and Compose
 * reads a file as a whole. It needs 50 MiB.
 */
export const composeMemoryKib = 1024 * 1024;
