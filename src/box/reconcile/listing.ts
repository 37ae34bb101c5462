import { type BoxPorts, type ContainerState, ContainersFailed } from '../ports.ts';

/** `isAnswered` is false if the containers are unknown. */
export type Listing = Promise<{ containers: ContainerState[]; failure: ContainersFailed | null; isAnswered: boolean }>;

/**
 * Begins the one listing of a reconcile early, so that the engine answers while files are read and written. `failure`
 * is set only if the engine cannot be reached. After an answer that cannot be parsed the listing is empty, and the
 * commands that follow report the fault of each app.
 */
export function beginListing(box: Pick<BoxPorts, 'containers'>): Listing {
  const listing = list(box);
  // The caller gets the error when it awaits the listing. Until then, an unhandled rejection would end the process.
  listing.catch(() => undefined);
  return listing;
}

async function list(box: Pick<BoxPorts, 'containers'>): Listing {
  try {
    return { containers: await box.containers.list(), failure: null, isAnswered: true };
  } catch (error) {
    if (!(error instanceof ContainersFailed)) throw error;
    return { containers: [], failure: error.unreachable ? error : null, isAnswered: false };
  }
}

/** Like `beginListing`, but waits for the result, and throws if the engine cannot be reached. */
export async function listContainers(box: Pick<BoxPorts, 'containers'>): Promise<ContainerState[]> {
  const { containers, failure } = await beginListing(box);
  if (failure !== null) throw failure;
  return containers;
}
