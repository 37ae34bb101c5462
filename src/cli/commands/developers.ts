import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiName } from '../../../conformance/run/api.ts';
import { packageRoot } from '../../package-root.ts';
import { type Command, command, write } from '../command.ts';
import {
  boxConformanceSettings,
  gatewayConformanceSettings,
  readConformanceOptions,
} from '../settings/conformance-settings.ts';
import { isOn } from '../settings/parsers.ts';
import { read, row, type Settings } from '../settings/setting.ts';

/** Runs a part of boxgate whose npm packages are in no release. Throws an error that says so if they are missing. */
export async function runInCheckout<Result>(words: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'MODULE_NOT_FOUND' && code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error(
      `boxgate ${words} needs packages that are in no release: run it from the npm package: npm install boxgate`,
      { cause: error },
    );
  }
}

const suite = (api: ApiName, settings: Settings) => {
  const words = `conformance ${api}`;
  return command(words, `run the conformance suite of the ${api} against any implementation`, settings, (call) => {
    const options = readConformanceOptions(settings, call);
    return runInCheckout(words, async () => {
      const { runConformance } = await import('../../../conformance/main.ts');
      return runConformance({ api, write, ...options });
    });
  });
};

const environment = (api: ApiName) => {
  const summary = `make an environment of the ${api}'s suite and print its variables, for a debugger`;
  return command(`conformance environment ${api}`, summary, {}, () =>
    runInCheckout(`conformance environment ${api}`, async () => {
      const { runEnvironment } = await import('../../../conformance/environment.ts');
      return runEnvironment(api, write);
    }),
  );
};

export const conformanceCommands: readonly Command[] = [
  suite('box', boxConformanceSettings),
  suite('gateway', gatewayConformanceSettings),
  environment('box'),
  environment('gateway'),
];

const json = row('--json', 'BOXGATE_SPEC_JSON', isOn, false, 'print it as JSON');

/** Prints the OpenAPI document of an API, for generators of clients. The build makes the JSON from the YAML. */
const spec = (service: ApiName) =>
  command(`spec ${service}`, `print the OpenAPI document of the ${service}'s API`, { json }, async (call) => {
    const form = read(json, call) ? 'json' : 'yaml';
    return write(readFileSync(join(packageRoot, 'spec', `${service}.openapi.${form}`), 'utf8'));
  });

export const specCommands: readonly Command[] = [spec('box'), spec('gateway')];

const demo: Command['run'] = async () => {
  await runInCheckout('demo', async () => (await import('../demo.ts')).runDemo());
  return Number(process.exitCode ?? 0);
};

export const demoCommands: readonly Command[] = [
  command('demo', 'run a box and a gateway on fakes, with sample apps, on a machine without Docker', {}, demo),
];
