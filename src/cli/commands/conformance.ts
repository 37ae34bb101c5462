import type { ApiName } from '../../../conformance/run/api.ts';
import { runInCheckout } from '../checkout-only.ts';
import { type Command, write } from '../command.ts';
import {
  boxConformanceSettings,
  gatewayConformanceSecrets,
  gatewayConformanceSettings,
  readConformanceOptions,
} from '../settings/conformance-settings.ts';
import type { Secret, Setting } from '../settings/setting.ts';

const suite = (
  api: ApiName,
  settings: Readonly<Record<string, Setting<unknown>>>,
  secrets: readonly Secret[] = [],
): Command => ({
  words: `conformance ${api}`,
  takes: [],
  summary: `run the conformance suite of the ${api} against any implementation`,
  settings,
  secrets,
  async run(flags, _words, env) {
    const options = readConformanceOptions(settings, flags, env);
    return runInCheckout(`conformance ${api}`, async () => {
      const { runConformance } = await import('../../../conformance/main.ts');
      return runConformance({ api, write, ...options });
    });
  },
});

const environment = (api: ApiName): Command => ({
  words: `conformance environment ${api}`,
  takes: [],
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
  suite('gateway', gatewayConformanceSettings, gatewayConformanceSecrets),
  environment('box'),
  environment('gateway'),
];
