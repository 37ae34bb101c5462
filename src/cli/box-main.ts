import { run } from './run-command-line.ts';

/** Runs the commands of a box. A separate program for these commands starts faster. */
export const main = run({
  box: async () => (await import('./commands/box.ts')).boxCommands,
  tunnel: async () => (await import('./commands/tunnel.ts')).tunnelCommands,
});
