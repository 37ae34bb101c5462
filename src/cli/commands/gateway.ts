import type { Command } from '../command.ts';
import { gatewaySecrets, gatewaySettings, readGatewaySettings } from '../gateway-settings.ts';

export const gatewayCommands: readonly Command[] = [
  {
    words: 'gateway serve',
    takes: [],
    summary: 'run the gateway control plane',
    settings: gatewaySettings,
    secrets: gatewaySecrets,
    async run(flags, _words, env) {
      const settings = readGatewaySettings(flags, env);
      const { serveGateway } = await import('../../gateway/server.ts');
      await serveGateway(settings);
      return 0;
    },
  },
];
