import type { components } from '../../api/api.gen.ts';
import type { Container } from './container.ts';
/** One change of an app or of one of its services, and the cause. box/action/1, choice/box/110 */
export type Action = components['schemas']['Action'];

/** The kinds of actions by the change of a container, the strongest change first. */
const kinds = {
  recreated: 'recreate',
  created: 'create',
  removed: 'remove_orphan',
  started: 'start',
  running: 'noop',
} as const satisfies Record<string, Action['kind']>;
type ContainerEvent = keyof typeof kinds;
const strongestFirst = Object.keys(kinds) as ContainerEvent[];

export type ContainerChange = { service: string; event: ContainerEvent };

/** Compares the containers of a project before and after an `up`. */
export function containerChanges(before: readonly Container[], after: readonly Container[]): ContainerChange[] {
  const removed = new Set(before.filter(({ id }) => !after.some((one) => one.id === id)));
  const events = after.map((container): ContainerChange => {
    const { service } = container;
    const earlier = before.find(({ id }) => id === container.id);
    if (earlier !== undefined) return { service, event: wasStarted(earlier, container) ? 'started' : 'running' };
    const left = [...removed].filter((one) => one.service === service);
    const replaced = left.find(({ name }) => name === container.name) ?? left[0];
    if (replaced === undefined) return { service, event: 'created' };
    removed.delete(replaced);
    return { service, event: 'recreated' };
  });
  return [...[...removed].map(({ service }): ContainerChange => ({ service, event: 'removed' })), ...events];
}

/** Whether a container was started between two looks at it. */
export function wasStarted(before: Container, after: Container): boolean {
  if (before.state === 'paused' && after.state === 'running') return true;
  return before.startedAt !== after.startedAt || (after.startedAt === null && before.state !== after.state);
}

/** One action for each service that changed, by name; one `noop` for the app if none changed. */
export function upActions(app: string, changes: readonly ContainerChange[], cause: string): Action[] {
  const byService = new Map<string, ContainerEvent>();
  for (const { service, event } of changes) {
    const before = strongestFirst.indexOf(byService.get(service) ?? 'running');
    if (strongestFirst.indexOf(event) <= before) byService.set(service, event);
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
  // A container tool that lists no containers.
  if (changes.length === 0) return [{ kind: 'start', target: app, detail: `brought up: ${cause}` }];
  return [{ kind: 'noop', target: app, detail: `nothing to change: ${cause}` }];
}

/** Adds notes to the actions of their targets. A target without an action gets one. */
export function withNotes(actions: readonly Action[], notes: ReadonlyMap<string, string>): Action[] {
  const left = new Map(notes);
  const noted = actions.map((action) => {
    const note = left.get(action.target);
    return left.delete(action.target) ? { ...action, detail: `${action.detail}; ${note}` } : action;
  });
  return [...noted, ...[...left].map(([target, detail]) => ({ kind: 'start' as const, target, detail }))];
}

/** Whether a response with these actions is a 207. box/post-rules/4 */
export function hasError(actions: readonly Action[]): boolean {
  return actions.some(({ kind }) => kind === 'error');
}
