import { lstatIfThere, onStorage, readRegularFile } from './storage.ts';
import { writeFileAtomic } from './write-file.ts';

/**
 * A JSON file of a state directory, which only its owner reads. `load` returns the same value until the file has been
 * written, by another process too. Every failure is a StorageFailed.
 * @param parse - gets the empty text, and `false`, if there is no such file
 */
export function makeStateFile<Value>(
  file: string,
  largestBytes: number,
  parse: (text: string, isThere: boolean) => Value,
) {
  let known: { stamp: string; value: Value } | null = null;
  const load = (): Value => {
    const stats = lstatIfThere(file);
    const stamp = stats === null ? '' : `${stats.ino} ${stats.size} ${stats.ctimeMs}`;
    if (known?.stamp === stamp) return known.value;
    const bytes = stats === null ? null : readRegularFile(file, largestBytes, 'refused');
    known = { stamp, value: parse(Buffer.from(bytes ?? []).toString('utf8'), stats !== null) };
    return known.value;
  };
  const save = (content: unknown): Promise<void> =>
    onStorage(`cannot write ${file}`, async () => {
      await writeFileAtomic(file, `${JSON.stringify(content)}\n`, 0o600);
    });
  return { load, save, change: async (change: (value: Value) => Value) => save(change(load())) };
}
