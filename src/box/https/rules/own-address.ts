import type { components } from '../../api/api.gen.ts';
import { hostText } from '../../rules/compose/published-ports.ts';
import type { Manifest } from '../../rules/manifest/manifest.ts';
import type { AddressPart } from '../../rules/manifest/setting-hints.ts';

type SettingsView = components['schemas']['SettingsView'];

/**
 * The form of an app with its own address in the settings that have one: those with the hint `address`, and those that
 * are, or begin as, `http://localhost:8222` with a port of the app. The address is filled in before an install. An installed
 * app keeps its value; its address with HTTPS is suggested.
 * @param named - such as `https://vault.box.example.org`; `null` without HTTPS
 * @param home - the address of the machine; `null` if it is in no network
 */
export function withOwnAddress(
  view: SettingsView,
  { settings, ports }: Pick<Manifest, 'settings' | 'ports'>,
  { named, home }: { named: string | null; home: string | null },
): SettingsView {
  const numbers = ports.map((one) => `${typeof one === 'object' ? one.port : one}`);
  const local = new Set(numbers.map((port) => `http://localhost:${port}`));
  const [first] = numbers;
  const port = view.settings.find(({ value }) => value === first)?.free_port ?? first;
  const plain = home === null || port === undefined ? null : `http://${hostText(home)}:${port}`;
  const filled = view.settings.map((entry, index) => {
    const { address: hint, default: preset = null } = settings[index] ?? {};
    const isLocal = local.has(preset ?? '') || local.has(entry.value);
    const part = hint ?? (isLocal ? 'url' : null);
    // Without HTTPS, an app that expects localhost is left with it.
    const url = named ?? (hint === undefined ? null : plain);
    const text = part === 'ip' ? home : part === null || url === null ? null : partOf(url, part);
    if (text === null || text === entry.value) return entry;
    if (!view.installed) {
      const isOpen = ['', preset].includes(entry.value) || local.has(entry.value);
      return isOpen ? { ...entry, value: text, default: text } : entry;
    }
    const isNews = named !== null && part !== 'ip';
    return isNews ? { ...entry, options: [...new Set([text, ...(entry.options ?? [])])] } : entry;
  });
  return { ...view, settings: filled };
}

function partOf(url: string, part: Exclude<AddressPart, 'ip'>): string {
  const [protocol = '', host = ''] = url.split('://');
  return { url, host, protocol }[part];
}
