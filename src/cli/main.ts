import { run } from './run-command-line.ts';

/** Runs any command. The groups are in the order of the help. */
export const main = run({
  box: async () => (await import('./commands/box.ts')).boxCommands,
  gateway: async () => (await import('./commands/gateway.ts')).gatewayCommands,
  tunnel: async () => (await import('./commands/tunnel.ts')).tunnelCommands,
  spec: async () => (await import('./commands/developers.ts')).specCommands,
  demo: async () => (await import('./commands/developers.ts')).demoCommands,
  conformance: async () => (await import('./commands/developers.ts')).conformanceCommands,
});
