type Container = { id: string; name: string; project: string; service: string; oneOff: boolean };

/**
 * Finds the leftovers of a killed `up`: each new container that is still beside the one that it was to replace. Until
 * that one is gone, Compose names the new container after the first 12 digits of its id. Compose would fail on this name
 * at every `up`. If the old container is gone already, Compose continues with the new one by itself, which keeps the
 * temporary name.
 */
export function halfReplaced<One extends Container>(containers: readonly One[], project: string): One[] {
  const own = containers.filter((container) => container.project === project && !container.oneOff);
  return own.filter(({ name, service }) =>
    own.some((old) => old.service === service && name.startsWith(`${old.id.slice(0, 12)}_`)),
  );
}
