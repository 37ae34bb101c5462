import { isActive } from '../../rules/compose/image-changes.ts';
import type { Container } from './container.ts';

/**
 * Says which containers of other projects run from an app's folder, as after `docker compose -p NAME up` there. They
 * use the same data. `null` without any.
 */
export function otherProjectsText(
  containers: readonly Container[],
  { project, directory }: { project: string; directory: string },
): string | null {
  const names = containers
    .filter((one) => !one.oneOff && isActive(one) && one.workingDirectory === directory && one.project !== project)
    .map(({ name }) => name);
  if (names.length === 0) return null;
  const also = names.length === 1 ? 'of another project also runs' : 'of other projects also run';
  return `${names.join(', ')} ${also} from its folder; stop with: docker stop ${names.join(' ')}`;
}
