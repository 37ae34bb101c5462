import { createInterface } from 'node:readline/promises';
import type { Ask } from './settings/gateway-setup-settings.ts';

/** Asks at the terminal; null without one. */
export function terminalAsk(): Ask | null {
  const { stdin, stdout } = process;
  if (!stdin.isTTY) return null;
  return async (question, problemOf) => {
    const lines = createInterface({ input: stdin, output: stdout });
    try {
      for (;;) {
        const answer = (await lines.question(question)).trim();
        const problem = problemOf(answer);
        if (problem === null) return answer;
        stdout.write(`${problem}\n`);
      }
    } finally {
      lines.close();
    }
  };
}
