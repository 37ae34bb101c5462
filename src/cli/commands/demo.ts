import { runInCheckout } from '../checkout-only.ts';
import type { Command } from '../command.ts';

export const demoCommands: readonly Command[] = [
  {
    usage: 'demo',
    summary: 'run a box and a gateway on fakes, with sample apps, on a machine without Docker',
    settings: {},
    async run() {
      await runInCheckout('demo', async () => (await import('../demo.ts')).runDemo());
      return Number(process.exitCode ?? 0);
    },
  },
];
