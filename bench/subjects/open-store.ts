/**
 * Opens the `file:` store of the first argument and looks up one box. Prints the time in ms and its memory in MiB.
 */
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { openFileStore } from '../../src/gateway/store/sqlite/file.ts';

const begin = performance.now();
const store = await openFileStore(process.argv[2] ?? '');
await store.boxOfToken(new Uint8Array(32));
const ms = performance.now() - begin;
const status = readFileSync('/proc/self/status', 'utf8');
const residentMiB = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
await store.close();
process.stdout.write(JSON.stringify({ ms, residentMiB }));
