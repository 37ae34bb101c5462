import type { components } from '../../api/api.gen.ts';
import type { Manifest } from './manifest.ts';

export type AppSummary = components['schemas']['AppSummary'];

/** The fields of an app in a list. box/summary/1-10 */
export function appSummary(manifest: Manifest, iconSvg: string | null): AppSummary {
  return {
    name: manifest.name,
    display_name: manifest.display_name,
    version: manifest.version,
    description: manifest.description,
    description_long: manifest.description_long,
    ports: manifest.ports,
    icon: manifest.icon,
    icon_svg: iconSvg,
    has_settings: manifest.settings.length > 0,
    ...(manifest.category === undefined ? {} : { category: manifest.category }),
  };
}
