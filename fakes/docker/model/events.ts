import type { Container, EngineState } from './state.ts';

/** Adds an event to the current change; it is published when the change is written. */
export function emit(
  state: EngineState,
  container: Container,
  action: string,
  at: number,
  attributes: Record<string, string> = {},
): void {
  const { id, image, name, labels } = container;
  const all = Object.entries({ ...labels, image, name, ...attributes });
  state.events.push({
    status: action,
    id,
    from: image,
    Type: 'container',
    Action: action,
    Actor: { ID: id, Attributes: Object.fromEntries(all.sort(([one], [other]) => (one < other ? -1 : 1))) },
    scope: 'local',
    time: Math.floor(at / 1000),
    timeNano: at * 1e6,
  });
}
