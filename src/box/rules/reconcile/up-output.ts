import { toolLines } from '../text/tool-output.ts';

/** What Compose did to one container, the strongest word of its progress output. */
export type ContainerEvent = 'recreated' | 'created' | 'started' | 'removed' | 'stopped' | 'running';

const strongestFirst: readonly ContainerEvent[] = [
  'recreated',
  'created',
  'removed',
  'started',
  'stopped',
  'running',
];
const progressLine = /^\W*Container\s+(\S+)\s+([A-Z][a-z]+)/;

/**
 * The containers that Compose's progress output names, each with what was done to it. Steps under way
 * ("Creating") and waits ("Healthy") say nothing that a later line does not.
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

/** Of what was done to one container, or to the containers of one service, the part that says most. */
export function stronger(event: ContainerEvent, before: ContainerEvent | undefined): ContainerEvent {
  if (before === undefined) return event;
  return strongestFirst.indexOf(event) < strongestFirst.indexOf(before) ? event : before;
}
