import { existsSync } from 'node:fs';
import { join } from 'node:path';
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

/** The variables that the unit of the gateway has, with those of the environment before them. */
export function unitVariables(env: NodeJS.ProcessEnv, folder = '/etc/boxgate'): NodeJS.ProcessEnv {
  const found = operatorVariables(env, join(folder, 'gateway.env'));
  const { GATEWAY_TUNNEL_PASSWORD: password, GATEWAY_TUNNEL_PASSWORD_FILE: passwordFile } = found;
  const file = join(folder, 'tunnel-password');
  if (password !== undefined || passwordFile !== undefined || !existsSync(file)) return found;
  return { ...found, GATEWAY_TUNNEL_PASSWORD_FILE: file };
}
