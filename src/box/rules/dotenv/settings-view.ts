import type { components } from '../../api/api.gen.ts';
import type { Manifest, Setting } from '../manifest/manifest.ts';

export type SettingsView = components['schemas']['SettingsView'];
type SettingEntry = components['schemas']['SettingEntry'];

/** The settings for a form. `env`: the app's `.env`, or its `.env.example` before an install. box/settings-view/1-6 */
export function settingsView(manifest: Manifest, env: ReadonlyMap<string, string>, installed: boolean): SettingsView {
  const { name, display_name, description, description_long } = manifest;
  const settings = manifest.settings.map((setting): SettingEntry => {
    const { address: _, ...shown } = setting;
    return { ...shown, value: currentValue(setting, env) };
  });
  return { name, display_name, description, description_long, installed, settings };
}

/** box/value/1-3 */
function currentValue(setting: Setting, env: ReadonlyMap<string, string>): string {
  if (setting.type === 'password') return '';
  return env.get(setting.name) ?? setting.default ?? '';
}
