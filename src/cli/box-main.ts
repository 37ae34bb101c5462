import { run } from './run-command-line.ts';

/** Runs the commands of a box. They are a program of their own, because it starts faster. */
export const main = run({
  box: async () => (await import('./commands/box.ts')).boxCommands,
  tunnel: async () => (await import('./commands/tunnel.ts')).tunnelCommands,
});
