import { existsSync } from 'node:fs';
import packageFile from '../../../package.json' with { type: 'json' };
import { usualProxy } from '../../gateway/gateway-settings.ts';
import { terminalAsk } from '../ask.ts';
import { type Call, type Command, print } from '../command.ts';
import { gatewaySettings } from '../settings/gateway-settings.ts';
import { readSetupRequest, setupSettings } from '../settings/gateway-setup-settings.ts';
import { unitVariables } from '../settings/operator-variables.ts';
import { read, readAll } from '../settings/setting.ts';

/** The settings of the gateway's service; the flags are those of its setup. */
const ofUnit = ({ env }: Call) => ({ flags: {}, env: unitVariables(env) });

async function hasBoxes(call: Call): Promise<boolean> {
  const store = read(gatewaySettings.store, ofUnit(call));
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
  usage: 'gateway setup',
  summary: 'make this server a gateway with wg-easy and Traefik, or repair and upgrade one; for root',
  settings: setupSettings,
  async run(call) {
    if (process.getuid?.() !== 0) return { status: 1, text: 'this is for root: run it with sudo' };
    const { inTurn, newerInstalled, savedVariables, setupCommand } = await import(
      '../../gateway/setup/setup-command.ts'
    );
    const notes = new Set<string>();
    const outside = {
      dnsServers: read(setupSettings.dnsServers, call),
      say: (line: string) => void print(line),
      async doctor() {
        const { doctorCommand } = await import('../../gateway/doctor/doctor-command.ts');
        const warn = (note: string) => {
          if (!notes.has(note)) print(`note: ${note}`);
          notes.add(note);
        };
        const settings = readAll(gatewaySettings, ofUnit(call));
        return doctorCommand(settings, usualProxy, warn, ({ isOfBox }) => isOfBox !== true);
      },
    };
    return inTurn(async () => {
      if (read(setupSettings.remove, call)) return setupCommand(null, outside);
      const newer = newerInstalled(packageFile.version);
      if (newer !== null) return newer;
      const request = await readSetupRequest(call, savedVariables(), terminalAsk(), () => hasBoxes(call));
      return setupCommand(request, outside);
    });
  },
};
