import { type BoxPorts, BrokenEnv, maxEnvBytes } from './ports.ts';
import { refuse } from './refusals.ts';

/** An installed app's `.env`, or null without one; what could not be written back is refused. */
export function envToChange(box: Pick<BoxPorts, 'folders'>, name: string): string | null {
  try {
    return box.folders.readEnv(name);
  } catch (error) {
    if (error instanceof BrokenEnv) refuse('brokenEnv', { reason: error.message });
    throw error;
  }
}

/** Refuses, before it is written, what could not be read again. */
export function refuseLargeEnv(text: string): void {
  if (new TextEncoder().encode(text).length > maxEnvBytes) {
    refuse('invalidValues', { reason: 'the .env would be larger than 1 MiB' });
  }
}
