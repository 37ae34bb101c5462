import { run } from './run-command-line.ts';

/** Runs the commands of a gateway. A separate program for these commands starts faster. */
export const main = run({
  gateway: async () => (await import('./commands/gateway.ts')).gatewayCommands,
});
