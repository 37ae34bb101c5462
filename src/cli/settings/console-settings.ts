import type { ConsoleSettings } from '../../console/server.ts';
import { boxSettings, readBoxSettings } from './box-settings.ts';
import { type GivenFlags, given } from './setting.ts';

const { host: boxHost, port: boxPort, metrics: _metrics, ...shared } = boxSettings;
const host = { ...boxHost, variable: 'BOX_CONSOLE_HOST' };
const port = { ...boxPort, variable: 'BOX_CONSOLE_PORT', shownDefault: '7001' };

export const consoleSettings = { ...shared, host, port };

/** The settings of the console: its own address, and for all else those of the box. */
export function readConsoleSettings(flags: GivenFlags, env: NodeJS.ProcessEnv): ConsoleSettings {
  const { [host.flag]: _host, [port.flag]: _port, ...others } = flags;
  return {
    ...readBoxSettings(others, env),
    consoleHost: given(host, flags, env) ?? '127.0.0.1',
    consolePort: given(port, flags, env) ?? 7001,
  };
}
