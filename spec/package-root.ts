import { join } from 'node:path';

/** The package's own folder. In a bundle `import.meta.dirname` is dist/, so this file stays one folder below the root. */
export const packageRoot = join(import.meta.dirname, '..');
