import { existsSync } from 'node:fs';
import packageFile from '../../../package.json' with { type: 'json' };
import { terminalAsk } from '../ask.ts';
import { type Command, print, tell } from '../command.ts';
import { readGatewaySettings, readStoreSettings } from '../settings/gateway-settings.ts';
import { readSetupRequest, setupSettings } from '../settings/gateway-setup-settings.ts';
import { unitVariables } from '../settings/operator-variables.ts';
import { given } from '../settings/setting.ts';

async function hasBoxes(env: NodeJS.ProcessEnv): Promise<boolean> {
  const { store } = readStoreSettings({}, unitVariables(env));
  if (store.kind === 'file' && !existsSync(store.path)) return false;
  const { viewStore } = await import('../../gateway/store/open-store.ts');
  const view = await viewStore(store);
  try {
    return (await view.listBoxes()).length > 0;
  } finally {
    await view.close();
  }
}

export const gatewaySetupCommand: Command = {
  words: 'gateway setup',
  summary: 'make this server a gateway with wg-easy and Traefik, or repair and upgrade one; for root',
  settings: setupSettings,
  async run(flags, _words, env) {
    if (process.getuid?.() !== 0) return tell({ status: 1, text: 'this is for root: run it with sudo' });
    const { inTurn, newerInstalled, removeCommand, savedVariables, setupCommand } = await import(
      '../../gateway/setup/setup-command.ts'
    );
    const notes = new Set<string>();
    const outside = {
      dnsServers: given(setupSettings.dnsServers, flags, env) ?? [],
      say: (line: string) => void print(line),
      async doctor() {
        const { doctorCommand, usualProxy } = await import('../../gateway/doctor/doctor-command.ts');
        const settings = readGatewaySettings({}, unitVariables(env));
        const warn = (note: string) => {
          if (!notes.has(note)) print(`note: ${note}`);
          notes.add(note);
        };
        return doctorCommand(settings, usualProxy, warn, ({ isOfBox }) => isOfBox !== true);
      },
    };
    const outcome = await inTurn(async () => {
      if (given(setupSettings.remove, flags, env) === true) return removeCommand(outside);
      const newer = newerInstalled(packageFile.version);
      if (newer !== null) return newer;
      const request = await readSetupRequest(flags, env, savedVariables(), terminalAsk(), () => hasBoxes(env));
      return setupCommand(request, outside);
    });
    return tell(outcome);
  },
};
