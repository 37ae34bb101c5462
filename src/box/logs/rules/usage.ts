import { bytesOfText } from '../../rules/text/amounts.ts';
import { parseJsonLines } from '../../rules/text/json-lines.ts';

/** What a container uses now. `processorPercent`: 100 is one whole processor. */
export type Usage = { processorPercent: number; memoryBytes: number };

/** Reads the output of `docker stats --format json`, by container id. Rows in another form are left out. */
export function parseUsage(output: string): Map<string, Usage> {
  const found = new Map<string, Usage>();
  for (const row of parseJsonLines(output)) {
    const { ID: id, CPUPerc: processor, MemUsage: memory } = row;
    const processorPercent = Number.parseFloat(String(processor));
    const memoryBytes = bytesOfText(String(memory));
    if (typeof id !== 'string' || Number.isNaN(processorPercent) || memoryBytes === null) continue;
    found.set(id, { processorPercent, memoryBytes });
  }
  return found;
}
