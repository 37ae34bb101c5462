import { join } from 'node:path';
import { readRegularFile } from '../../../lib/files/storage.ts';

const mostBytes = 64 * 1024;

/**
 * The box's addresses inside the gateway's tunnel, without masks: every `Address` of the `tunnel.conf` that `boxgate
 * tunnel join` keeps in the state directory. Empty if the file does not exist or cannot be read.
 * choice/box/200
 */
export function readTunnelAddresses(stateDir: string): string[] {
  const lines = configText(join(stateDir, 'tunnel.conf')).matchAll(/^[ \t]*address[ \t]*=(.*)$/gim);
  const addresses = Array.from(lines, ([, value = '']) => value.split(',')).flat();
  return addresses.map((address) => address.split('/', 1).join().trim());
}

function configText(path: string): string {
  try {
    return Buffer.from(readRegularFile(path, mostBytes, 'followed') ?? []).toString();
  } catch {
    return ''; // A box that does not run as root cannot read the file, and must still work.
  }
}
