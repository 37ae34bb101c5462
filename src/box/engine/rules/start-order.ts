import type { Container } from './container.ts';

/** Containers to start, and those of them that have to be healthy before the next step. */
export type StartStep = { ids: string[]; healthy: string[] };

/**
 * Containers in the order in which they can be started: each group needs only the groups before it. Within a group, the
 * container that was started first comes first.
 */
export function startOrder(containers: readonly Container[]): Container[][] {
  const left = new Set(containers.toSorted((a, b) => Number(a.startedAt) - Number(b.startedAt)));
  const groups: Container[][] = [];
  while (left.size > 0) {
    const free = [...left].filter((one) => ![...left].some((other) => isNeeded(other, one)));
    // Compose starts no containers that need each other; labels of another origin may say so.
    const group = free.length > 0 ? free : [...left];
    for (const one of group) left.delete(one);
    groups.push(group);
  }
  return groups;
}

/**
 * The steps that start exactly these containers. One that was healthy has to be healthy again before those start that
 * ask for it; `areNew`: one that has no health yet, too.
 */
export function startSteps(containers: readonly Container[], areNew = false): StartStep[] {
  const isAwaited = (one: Container) =>
    (areNew || one.health === 'healthy') && containers.some((other) => isNeeded(one, other, ({ healthy }) => healthy));
  return startOrder(containers).map((group) => ({
    ids: group.map(({ id }) => id),
    healthy: group.filter(isAwaited).map(({ id }) => id),
  }));
}

function isNeeded(one: Container, other: Container, how = (_: Container['needs'][number]) => true): boolean {
  if (other.networkOf === one.id) return true;
  return one.project === other.project && other.needs.some((need) => need.service === one.service && how(need));
}
