import type { Manifest, Setting } from '../manifest/manifest.ts';

/**
 * The settings of an app, with its name in the place of the address that it has without one: a default such as
 * `http://localhost:8222`, with a port of the app.
 */
export function withNamedDefaults(
  { settings, ports }: Pick<Manifest, 'settings' | 'ports'>,
  address: string,
): Setting[] {
  const plain = ports.map((one) => `http://localhost:${typeof one === 'object' ? one.port : one}`);
  return settings.map((one) => (plain.includes(one.default ?? '') ? { ...one, default: address } : one));
}
