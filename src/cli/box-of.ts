import { makePublicRoutes } from './public-routes.ts';
import { readBoxSettings } from './settings/box-settings.ts';
import type { GivenFlags } from './settings/setting.ts';

/** The box of a command. `run` of every command gets the variables of the settings file in `env`. */
export async function boxOf(flags: GivenFlags, env: NodeJS.ProcessEnv) {
  const { makeBox } = await import('../box/server.ts');
  const settings = readBoxSettings(flags, env);
  return makeBox(settings, makePublicRoutes(settings.stateDir));
}
