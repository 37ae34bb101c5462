/** Opens the `file:` store of the first argument and looks up one box. Prints the time in ms. */
import { performance } from 'node:perf_hooks';
import { openFileStore } from '../../src/gateway/store/sqlite/file.ts';

const begin = performance.now();
const store = await openFileStore(process.argv[2] ?? '');
await store.boxOfToken(new Uint8Array(32));
const ms = performance.now() - begin;
await store.close();
process.stdout.write(String(ms));
