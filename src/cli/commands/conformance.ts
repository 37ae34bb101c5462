import type { ApiName } from '../../../conformance/run/api.ts';
import { runInCheckout } from '../checkout-only.ts';
import { type Command, write } from '../command.ts';
import {
  boxConformanceSettings,
  gatewayConformanceSettings,
  readConformanceOptions,
} from '../settings/conformance-settings.ts';

const suite = (api: ApiName, settings: Command['settings']): Command => ({
  usage: `conformance ${api}`,
  summary: `run the conformance suite of the ${api} against any implementation`,
  settings,
  async run(call) {
    const options = readConformanceOptions(settings, call);
    return runInCheckout(`conformance ${api}`, async () => {
      const { runConformance } = await import('../../../conformance/main.ts');
      return runConformance({ api, write, ...options });
    });
  },
});

const environment = (api: ApiName): Command => ({
  usage: `conformance environment ${api}`,
  summary: `make an environment of the ${api}'s suite and print its variables, for a debugger`,
  settings: {},
  run: () =>
    runInCheckout(`conformance environment ${api}`, async () => {
      const { runEnvironment } = await import('../../../conformance/environment.ts');
      return runEnvironment(api, write);
    }),
});

export const conformanceCommands: readonly Command[] = [
  suite('box', boxConformanceSettings),
  suite('gateway', gatewayConformanceSettings),
  environment('box'),
  environment('gateway'),
];
