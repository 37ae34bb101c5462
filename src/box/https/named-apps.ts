import type { HttpsBox } from './https-box.ts';
import { hostLabel, labelOwners } from './rules/names.ts';

/** The address with HTTPS of each installed app that has one, by name. */
export function openUrls({ https, apps }: Pick<HttpsBox, 'https' | 'apps'>): Map<string, string> {
  const served = https.served();
  if (served === null) return new Map();
  const { domain, labels } = served;
  const owners = labelOwners(apps.all('installed'));
  return new Map(
    [...owners].filter(([label]) => labels.has(label)).map(([label, app]) => [app, `https://${label}.${domain}/`]),
  );
}

/** The name with HTTPS that an app has, or will have once it is installed; `null` without one. */
export function addressOf({ https, apps }: Pick<HttpsBox, 'https' | 'apps'>, app: string): string | null {
  const served = https.served();
  const label = hostLabel(app);
  if (served === null || label === null) return null;
  const owner = labelOwners(apps.all('installed')).get(label) ?? app;
  return owner === app ? `https://${label}.${served.domain}` : null;
}
