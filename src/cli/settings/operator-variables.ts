import { parseEnv } from 'node:util';
import { readTextIfThere } from '../../lib/files/read-file.ts';

const maxSettingsFileBytes = 256 * 1024;

/**
 * The variables of a command that is run by hand: those of its environment, and for all others those of the settings
 * file. Throws if the file cannot be read.
 * choice/gateway/394
 * @param file - the file that systemd reads for the service
 */
export function operatorVariables(env: NodeJS.ProcessEnv, file: string): NodeJS.ProcessEnv {
  try {
    return { ...parseEnv(readTextIfThere(file, maxSettingsFileBytes) ?? ''), ...env };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const problem = code === undefined ? 'it is not a regular file' : `${code}; run this as root`;
    throw new Error(`cannot read ${file}: ${problem}`, { cause: error });
  }
}
