import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const file = join(import.meta.dirname, 'results.md');
const heading = '## Capacity of several gateways on one PostgreSQL';

/** `results.md` has two parts, which two programs write: the measurements, and below the heading the capacity. */
function parts(): { measured: string; capacity: string } {
  const [measured = '', capacity = ''] = readFileSync(file, 'utf8').split(`${heading}\n\n`);
  return { measured: measured.trimEnd(), capacity: capacity.trimEnd() };
}

export function writeMeasured(measured: string): void {
  write({ ...parts(), measured: measured.trimEnd() });
}

export function writeCapacity(capacity: string): void {
  write({ ...parts(), capacity: capacity.trimEnd() });
}

function write({ measured, capacity }: { measured: string; capacity: string }): void {
  writeFileSync(file, `${measured}\n\n${heading}\n\n${capacity}\n`);
}
