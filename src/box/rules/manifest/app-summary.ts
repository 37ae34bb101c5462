import type { components } from '../../api/api.gen.ts';
import type { Manifest } from './manifest.ts';

export type AppSummary = components['schemas']['AppSummary'];

/** The fields of an app in a list. `rasterDigest`: of an icon that is no SVG file. box/summary/1-10 */
export function appSummary(manifest: Manifest, iconSvg: string | null, rasterDigest: string | null): AppSummary {
  return {
    name: manifest.name,
    display_name: manifest.display_name,
    version: manifest.version,
    description: manifest.description,
    description_long: manifest.description_long,
    ports: manifest.ports,
    icon: manifest.icon,
    icon_svg: iconSvg,
    ...(rasterDigest === null ? {} : { icon_url: iconUrl(manifest.name, rasterDigest) }),
    has_settings: manifest.settings.length > 0,
    ...(manifest.category === undefined ? {} : { category: manifest.category }),
  };
}

/** The console serves the icon. A changed icon has another address, so that browsers may keep each for ever. */
function iconUrl(name: string, digest: string): string {
  return `/settings/icons/${encodeURIComponent(name)}?v=${digest.slice(0, 16)}`;
}
