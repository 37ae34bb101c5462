import type { components } from '../../api.gen.ts';
import { type ContainerEvent, stronger } from './up-output.ts';

/** One change of an app or of one of its services, and the cause. box/action/1, choice/box/110 */
export type Action = components['schemas']['Action'];

const kinds = {
  recreated: 'recreate',
  created: 'create',
  removed: 'remove_orphan',
  started: 'start',
  stopped: 'stop',
  running: 'noop',
} as const satisfies Record<ContainerEvent, Action['kind']>;

/** The change of one container in an `up`. */
export type ContainerChange = { service: string; event: ContainerEvent };

/** One action for each service that changed, by name; one `noop` for the app if none changed. */
export function upActions(app: string, changes: readonly ContainerChange[], cause: string): Action[] {
  const byService = new Map<string, ContainerEvent>();
  for (const { service, event } of changes) {
    byService.set(service, stronger(event, byService.get(service)));
  }
  const actions = [...byService]
    .filter(([, event]) => event !== 'running')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([service, event]) => ({
      kind: kinds[event],
      target: `${app}/${service}`,
      detail: `${event}: ${cause}`,
    }));
  if (actions.length > 0) return actions;
  // The container tool printed no changes.
  if (changes.length === 0) return [{ kind: 'start', target: app, detail: `brought up: ${cause}` }];
  return [{ kind: 'noop', target: app, detail: `nothing to change: ${cause}` }];
}

/** Whether a response with these actions is a 207. box/post-rules/4 */
export function hasError(actions: readonly Action[]): boolean {
  return actions.some(({ kind }) => kind === 'error');
}
