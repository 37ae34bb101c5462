import { join } from 'node:path';

/** The package's own folder, with the files that ship beside the code. A bundle contains the path of its sources. */
export const packageRoot = join(import.meta.dirname, '..', '..', '..');
