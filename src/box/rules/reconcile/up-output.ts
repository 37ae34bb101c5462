import { toolLines } from '../text/tool-output.ts';

/** Compose's change of one container: the strongest one in its progress output. */
export type ContainerEvent = 'recreated' | 'created' | 'started' | 'removed' | 'stopped' | 'running';

const strongestFirst: readonly ContainerEvent[] = ['recreated', 'created', 'removed', 'started', 'stopped', 'running'];
const progressLine = /^\W*Container\s+(\S+)\s+([A-Z][a-z]+)/;

/**
 * The containers in Compose's progress output, each with its change. Steps under way ("Creating") and waits ("Healthy")
 * are skipped, because a later line follows.
 */
export function containerEvents(output: string): Map<string, ContainerEvent> {
  const events = new Map<string, ContainerEvent>();
  for (const line of toolLines(output)) {
    const [, container, word] = progressLine.exec(line) ?? [];
    const event = strongestFirst.find((known) => known === word?.toLowerCase());
    if (container === undefined || event === undefined) continue;
    events.set(container, stronger(event, events.get(container)));
  }
  return events;
}

/** The strongest of several changes of one container or service. */
export function stronger(event: ContainerEvent, before: ContainerEvent | undefined): ContainerEvent {
  if (before === undefined) return event;
  return strongestFirst.indexOf(event) < strongestFirst.indexOf(before) ? event : before;
}
