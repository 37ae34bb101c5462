import { join, resolve } from 'node:path';
import { onStorage, readRegularFile } from '../../../lib/files/storage.ts';
import { writeFileAtomic } from '../../../lib/files/write-file.ts';
import type { ReplacedImagesFile } from '../ports.ts';
import { parseReplaced } from '../rules/replaced-images.ts';

const largestFileBytes = 4 * 1024 * 1024;

/** `replaced-images.json`, read each time: another process may have written it. */
export function makeReplacedImages(stateDirectory: string): ReplacedImagesFile {
  const file = join(resolve(stateDirectory), 'replaced-images.json');
  return {
    load: () => parseReplaced(Buffer.from(readRegularFile(file, largestFileBytes, 'refused') ?? []).toString('utf8')),
    save: (images) =>
      onStorage(`cannot write ${file}`, async () => {
        await writeFileAtomic(file, `${JSON.stringify(images)}\n`, 0o600);
      }),
  };
}
