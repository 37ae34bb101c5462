import { gzipSync } from 'node:zlib';
import { tarEntry } from './tar-entry.ts';

/**
 * A release archive, whose program `bin/boxgate` says its version. `unpackedSize` is the sum of the file sizes in
 * bytes.
 */
export function makeArchive(version: string, platform: string): { bytes: Buffer; unpackedSize: number } {
  const top = `boxgate-${version}-${platform}`;
  const files: [string, Buffer, number][] = [
    ['README.md', Buffer.from(`A pretended boxgate ${version}.\n`), 0o644],
    ['bin/boxgate', Buffer.from(`#!/bin/sh\necho ${version}\n`), 0o755],
    ['package.json', Buffer.from(JSON.stringify({ name: 'boxgate', version })), 0o644],
  ];
  const folders = ['', '/bin'].map((name) => tarEntry(`${top}${name}/`, Buffer.alloc(0), 0o755, true));
  const entries = files.map(([name, content, mode]) => tarEntry(`${top}/${name}`, content, mode));
  return {
    bytes: gzipSync(Buffer.concat([...folders, ...entries, Buffer.alloc(1024)])),
    unpackedSize: files.reduce((sum, [, content]) => sum + content.length, 0),
  };
}
