/** The name that Compose gives a new container until the one it replaces is gone. */
const temporaryName = /^[0-9a-f]{12}_/;

type Container = { name: string; project: string; service: string; oneOff: boolean };

/**
 * What an `up` that was killed leaves: a new container under its temporary name beside the one it was to replace.
 * Compose trips over it ever after. Where the old one is gone already, Compose goes on with the new one by itself.
 */
export function halfReplaced<One extends Container>(containers: readonly One[], project: string): One[] {
  const own = containers.filter((container) => container.project === project && !container.oneOff);
  const isTemporary = ({ name }: Container) => temporaryName.test(name);
  return own.filter(
    (container) =>
      isTemporary(container) &&
      own.some((other) => other.service === container.service && !isTemporary(other)),
  );
}
