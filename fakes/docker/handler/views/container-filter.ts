import { Failure, unknown } from '../../model/failure.ts';
import type { Container, EngineState } from '../../model/state.ts';

type Test = (container: Container) => boolean;

/**
 * The containers that match `docker ps --filter …`, newest first. All labels must match; of other filters with the same
 * name, one must match.
 */
export function filterContainers(state: EngineState, filters: readonly string[], all: boolean): Container[] {
  const groups = new Map<string, Test[]>();
  for (const filter of filters) {
    const [name, value] = splitFilter(filter);
    const key = name === 'label' ? filter : name;
    groups.set(key, [...(groups.get(key) ?? []), testOf(name, value)]);
  }
  const byStatus = groups.has('status');
  return state.containers
    .filter((one) => all || byStatus || isUp(one))
    .filter((one) => [...groups.values()].every((tests) => tests.some((test) => test(one))))
    .reverse();
}

function isUp(container: Container): boolean {
  const status = container.status;
  return status === 'running' || status === 'restarting';
}

export function splitFilter(filter: string): [string, string] {
  const equals = filter.indexOf('=');
  if (equals < 0)
    throw new Failure(
      125,
      `invalid argument "${filter}" for "-f, --filter" flag: bad format of filter (expected name=value)`,
    );
  return [filter.slice(0, equals).trim().toLowerCase(), filter.slice(equals + 1)];
}

function testOf(name: string, value: string): Test {
  switch (name) {
    case 'label':
      return (one) => hasLabel(one.labels, value);
    case 'name':
      return (one) => new RegExp(value).test(one.name) || new RegExp(value).test(`/${one.name}`);
    case 'id':
      return (one) => one.id.startsWith(value);
    case 'status':
      return (one) => one.status === value;
    case 'health':
      return (one) => (one.health ?? 'none') === value;
    default:
      throw unknown(`the filter ${name}`);
  }
}

export function hasLabel(labels: Record<string, string>, wanted: string): boolean {
  const equals = wanted.indexOf('=');
  if (equals < 0) return wanted in labels;
  return labels[wanted.slice(0, equals)] === wanted.slice(equals + 1);
}
