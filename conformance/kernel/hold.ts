/** Keeps a request incomplete until its release. `isHeld` is called when everything but the last byte is sent. */
export type Hold = { isHeld: () => void; released: Promise<void> };

/** Holds of requests that have to end at the same moment. */
export type HoldGroup = {
  add: () => Hold;
  /** Resolves when every added request is held, or has failed. */
  allHeld: () => Promise<unknown>;
  release: () => void;
};

export function makeHoldGroup(): HoldGroup {
  const all: Promise<void>[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  return {
    add: () => {
      const { promise, resolve: isHeld } = Promise.withResolvers<void>();
      all.push(promise);
      return { isHeld, released };
    },
    allHeld: () => Promise.all(all),
    release,
  };
}
