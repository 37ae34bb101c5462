type Container = { id: string; name: string; project: string; service: string; oneOff: boolean };

/**
 * Finds the leftovers of a killed `up`: new containers beside the ones that they were to replace. Compose gives a new
 * container a temporary name, which begins with 12 digits of the old one's id, and would fail on that name at every
 * `up`. If the old container is gone already, Compose starts the new one by itself and leaves it the temporary name.
 */
export function halfReplaced<One extends Container>(containers: readonly One[], project: string): One[] {
  const own = containers.filter((container) => container.project === project && !container.oneOff);
  return own.filter(({ name, service }) =>
    own.some((old) => old.service === service && name.startsWith(`${old.id.slice(0, 12)}_`)),
  );
}
