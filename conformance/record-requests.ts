/**
 * `node conformance/record-requests.ts [box|gateway] [ID…]` runs the checks, or those below the ids, twice with different
 * seeds against the servers of this repository, and writes the requests of both runs to `spec/checks.json`.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { boxApi } from './checks/box/api.ts';
import { gatewayApi } from './checks/gateway/api.ts';
import type { AnyContext, Check } from './kernel/check.ts';
import { runConformance } from './main.ts';
import { checksFile, inBoth, printChecks, publishedChecks, readRecorded, sentIn } from './published-checks.ts';
import type { ApiName } from './run/api.ts';
import { selectChecks } from './selection.ts';

type Sent = ReturnType<typeof sentIn>;

const boxgate = join(import.meta.dirname, '..', 'src', 'cli', 'boxgate.cjs');

/** The requests of every check that passes. */
async function record(api: ApiName, checks: readonly Check<never>[], seed: number): Promise<Map<string, Sent>> {
  const found = new Map<string, Sent>();
  const recording = (checks as readonly Check<AnyContext>[]).map((check) => ({
    ...check,
    run: async (context: AnyContext) => {
      await check.run(context);
      found.set(check.id, sentIn(context.journal));
    },
  }));
  const exec = `'${process.execPath}' '${boxgate}' ${api} serve`;
  await runConformance({ api, exec, seed, checks: recording });
  return found;
}

async function main([api, ...only]: string[]): Promise<void> {
  const suites: readonly [ApiName, readonly Check<never>[]][] = [
    ['box', boxApi.checks],
    ['gateway', gatewayApi.checks],
  ];
  const recorded = new Map<string, ReturnType<typeof inBoth>>();
  for (const [name, all] of suites.filter(([name]) => api === undefined || api === name)) {
    const checks = selectChecks(all, { only });
    const one = await record(name, checks, 1);
    const other = await record(name, checks, 2);
    for (const [id, sent] of one) recorded.set(id, inBoth(name, sent, other.get(id) ?? []));
  }
  const earlier = readRecorded();
  writeFileSync(checksFile, printChecks(publishedChecks((id) => recorded.get(id) ?? earlier(id))));
}

await main(process.argv.slice(2));
