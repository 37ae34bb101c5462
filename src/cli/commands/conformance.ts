import type { Command } from '../command.ts';
import { conformanceSettings, readConformanceOptions } from '../conformance-settings.ts';

export const conformanceCommands: readonly Command[] = [
  {
    words: 'conformance box',
    takes: [],
    summary: 'run the conformance suite of the box against any implementation',
    settings: conformanceSettings,
    async run(flags, _words, env) {
      const options = readConformanceOptions(flags, env);
      const { runConformance } = await import('../../../conformance/main.ts');
      return runConformance({ api: 'box', ...options });
    },
  },
];
