import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Puts the programs of a box's tunnel into a folder, for a box that joins a fake gateway on any machine. Each fails, as
 * without an interface and a packet filter.
 * @returns the folder
 */
export function writeTunnelPrograms(folder: string): string {
  for (const name of ['wg', 'wg-quick', 'nft', 'ip']) {
    writeFileSync(join(folder, name), '#!/bin/sh\necho "No such file or directory" >&2\nexit 1\n', { mode: 0o755 });
  }
  return folder;
}
