/** The temporary name that Compose gives a new container until the old one is gone. */
const temporaryName = /^[0-9a-f]{12}_/;

type Container = { name: string; project: string; service: string; oneOff: boolean };

/**
 * Finds the leftovers of a killed `up`: a new container under its temporary name beside the one that it was to replace.
 * Compose would fail on this new container at every `up`. If the old container is gone already, Compose continues
 * with the new one by itself.
 */
export function halfReplaced<One extends Container>(containers: readonly One[], project: string): One[] {
  const own = containers.filter((container) => container.project === project && !container.oneOff);
  const isTemporary = ({ name }: Container) => temporaryName.test(name);
  return own.filter(
    (container) =>
      isTemporary(container) && own.some((other) => other.service === container.service && !isTemporary(other)),
  );
}
