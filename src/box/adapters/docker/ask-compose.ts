import { readdirSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ignore } from '../../../lib/ignore.ts';
import { type ComposeAnswer, ContainersFailed } from '../../core.ts';
import { projectOfDirectory } from '../../rules/manifest/app-name.ts';
import { makeComposeContainers } from './compose.ts';

/**
 * Asks Compose about an app that is not installed, with an `.env` of this text: in a temporary folder with links to the
 * app's files. `null` if Compose gives no answer.
 */
export function makeAskCompose(environment: Readonly<Record<string, string | undefined>>) {
  const containers = makeComposeContainers(environment);
  return async (
    { name, path }: { name: string; path: string },
    files: readonly string[],
    envText: string,
  ): Promise<ComposeAnswer | null> => {
    const directory = await mkdtemp(join(tmpdir(), 'boxgate-check-'));
    try {
      const entries = readdirSync(path).filter((entry) => entry !== '.env');
      for (const entry of entries) await symlink(join(path, entry), join(directory, entry));
      const envFile = join(directory, '.env');
      await writeFile(envFile, envText, { mode: 0o600 });
      const found = { directory, files: files.map((file) => join(directory, file)), envFile };
      return await containers.config(found, projectOfDirectory(name)).catch(ignore(ContainersFailed, () => null));
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  };
}
