import { isJsonObject, parseJson } from '../../lib/json.ts';
import type { StoreAddress } from '../gateway-settings.ts';

/** Where the parts of a gateway are on this machine. */
export type BackupPlace = {
  stateDir: string;
  store: StoreAddress;
  routesDir: string;
  /** Files with settings and secrets; some may be missing. */
  settingsFiles: readonly string[];
  /** The folder of wg-easy; `null` to ask Docker. */
  wireguardDir: string | null;
  /** `null` if it is not set yet. */
  domain: string | null;
};

export type BackupFacts = {
  /** The domain of the published hosts; `null` if it was not set. */
  domain: string | null;
  settings: string[];
  hasWireguard: boolean;
};

/** Names in the folder of a backup. */
export const parts = {
  facts: 'facts.json',
  store: 'gateway.db',
  settings: 'settings',
  routes: 'routes',
  wireguard: 'wireguard',
} as const;

/** Raised when the meaning of a field changes. */
const format = 1;

export function factsText(facts: BackupFacts): string {
  return `${JSON.stringify({ format, ...facts }, null, 1)}\n`;
}

/** `null` if the text has another form or a later format. */
export function parseFacts(text: string): BackupFacts | null {
  const facts = parseJson(text);
  if (!isJsonObject(facts) || facts.format !== format) return null;
  const { domain, settings, hasWireguard } = facts;
  const isPath = (one: unknown) => typeof one === 'string' && one.startsWith('/') && !one.split('/').includes('..');
  if (!Array.isArray(settings) || !settings.every(isPath)) return null;
  return { domain: typeof domain === 'string' ? domain : null, settings, hasWireguard: hasWireguard === true };
}

export const gatewayTag = 'gateway';

/** Restic separates tags by commas. */
export function tagsFor(values: Readonly<Record<'boxes' | 'version' | 'server', string>>): string[] {
  return [gatewayTag, ...Object.entries(values).map(([name, value]) => `${name}=${value.replaceAll(',', ' ')}`)];
}

export function tagOf(tags: readonly string[], name: 'boxes' | 'version' | 'server'): string {
  return tags.find((tag) => tag.startsWith(`${name}=`))?.slice(name.length + 1) ?? '?';
}
