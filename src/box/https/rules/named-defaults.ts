import type { Manifest, Setting } from '../../rules/manifest/manifest.ts';

/**
 * The settings of an app, and its starting values, with its name in the place of the address that it has without one:
 * a text such as `http://localhost:8222`, with a port of the app.
 */
export function withNamedDefaults(
  { settings, ports }: Pick<Manifest, 'settings' | 'ports'>,
  values: ReadonlyMap<string, string>,
  address: string,
): { settings: Setting[]; values: Map<string, string> } {
  const plain = new Set(ports.map((one) => `http://localhost:${typeof one === 'object' ? one.port : one}`));
  return {
    settings: settings.map((one) => (plain.has(one.default ?? '') ? { ...one, default: address } : one)),
    values: new Map([...values].map(([key, value]) => [key, plain.has(value) ? address : value])),
  };
}
