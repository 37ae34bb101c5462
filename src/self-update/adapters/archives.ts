import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { storageFailed } from '../../lib/files/storage.ts';
import type { Archives } from '../ports.ts';
import { fail } from '../rules/reasons.ts';
import { type DownloadLimits, downloadArchive } from './download.ts';
import { unpackArchive } from './unpack.ts';

const limits: DownloadLimits = { stallMs: 60_000, totalMs: 2 * 60 * 60 * 1000 };

export function makeArchives(downloadLimits = limits): Archives {
  return {
    download: (url, file, size, onBytes) => downloadArchive(url, { file, size, onBytes }, downloadLimits),
    digest,
    unpack: unpackArchive,
  };
}

async function digest(file: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(file)) hash.update(chunk);
  } catch (error) {
    fail('storage', { problem: storageFailed(`cannot read ${file}`, error).message }, error);
  }
  return hash.digest('hex');
}
