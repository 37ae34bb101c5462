import type { Manifest } from './manifest.ts';

/** The ports of a manifest. One that is the default of a `number` setting follows the value of that setting. */
export function portsWithSettings(
  { ports, settings }: Pick<Manifest, 'ports' | 'settings'>,
  values: ReadonlyMap<string, string>,
): Manifest['ports'] {
  return ports.map((declared) => {
    const port = typeof declared === 'object' ? declared.port : declared;
    const setting = settings.find((one) => one.type === 'number' && one.default === String(port));
    const value = setting === undefined ? '' : (values.get(setting.name) ?? '');
    if (!/^\d{1,5}$/.test(value)) return declared;
    return typeof declared === 'object' ? { ...declared, port: Number(value) } : Number(value);
  });
}
