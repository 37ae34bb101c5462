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

/** Names in the folder of a backup. */
export const parts = {
  facts: 'facts.json',
  store: 'gateway.db',
  settings: 'settings',
  routes: 'routes',
  wireguard: 'wireguard',
} as const;

/** Raised when the meaning of a part changes. */
const format = 1;

export function factsText(domain: string | null): string {
  return `${JSON.stringify({ format, domain }, null, 1)}\n`;
}

/** The domain of the published hosts, if it was set. Throws if the text has another form or a later format. */
export function domainIn(text: string): string | null {
  const facts = parseJson(text);
  if (!isJsonObject(facts) || facts.format !== format)
    throw new Error('the backup is damaged or of a newer boxgate: install the newest version');
  return typeof facts.domain === 'string' ? facts.domain : null;
}

export const gatewayTag = 'gateway';

/** Restic separates tags by commas. */
export function tagsFor(values: Readonly<Record<'boxes' | 'version' | 'server', string>>): string[] {
  return [gatewayTag, ...Object.entries(values).map(([name, value]) => `${name}=${value.replaceAll(',', ' ')}`)];
}

export function tagOf(tags: readonly string[], name: 'boxes' | 'version' | 'server'): string {
  return tags.find((tag) => tag.startsWith(`${name}=`))?.slice(name.length + 1) ?? '?';
}
