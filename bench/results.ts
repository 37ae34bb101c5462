import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const file = join(import.meta.dirname, 'results.md');
const heading = '## Ten gateways on one PostgreSQL: a simulation';

/** `results.md` has two parts that are made apart: what was measured, and below its heading what was simulated. */
function parts(): { measured: string; simulated: string } {
  const [measured = '', simulated = ''] = readFileSync(file, 'utf8').split(`${heading}\n\n`);
  return { measured: measured.trimEnd(), simulated: simulated.trimEnd() };
}

export function writeMeasured(measured: string): void {
  write({ ...parts(), measured: measured.trimEnd() });
}

export function writeSimulated(simulated: string): void {
  write({ ...parts(), simulated: simulated.trimEnd() });
}

function write({ measured, simulated }: { measured: string; simulated: string }): void {
  writeFileSync(file, `${measured}\n\n${heading}\n\n${simulated}\n`);
}
