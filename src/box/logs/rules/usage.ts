import { parseJsonLines } from '../../rules/text/json-lines.ts';

/** What a container uses now. `processorPercent`: 100 is one whole processor. */
export type Usage = { processorPercent: number; memoryBytes: number };

const units: Readonly<Record<string, number>> = {
  B: 1,
  kB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
};

/** Reads the output of `docker stats --format json`, by container id. Rows in another form are left out. */
export function parseUsage(output: string): Map<string, Usage> {
  const found = new Map<string, Usage>();
  for (const row of parseJsonLines(output)) {
    const { ID: id, CPUPerc: processor, MemUsage: memory } = row;
    const processorPercent = Number.parseFloat(String(processor));
    const memoryBytes = bytesOf(String(memory).split('/', 1).join());
    if (typeof id !== 'string' || Number.isNaN(processorPercent) || memoryBytes === null) continue;
    found.set(id, { processorPercent, memoryBytes });
  }
  return found;
}

function bytesOf(text: string): number | null {
  const [, number = '', unit = ''] = /^ ?([\d.]{1,20}) ?([a-zA-Z]{1,3}) ?$/.exec(text) ?? [];
  const factor = units[unit];
  return factor === undefined ? null : Math.round(Number(number) * factor);
}
