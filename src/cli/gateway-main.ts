import { run } from './run-command-line.ts';

/** Runs the commands of a gateway. They are a program of their own, because it starts faster. */
export const main = run({
  gateway: async () => (await import('./commands/gateway.ts')).gatewayCommands,
});
