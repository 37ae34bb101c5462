import { type BoxPorts, type ContainerState, ContainersFailed } from '../ports.ts';

/** `isAnswered` is false if nothing is known of the containers. */
export type Listing = Promise<{
  containers: ContainerState[];
  failure: ContainersFailed | null;
  isAnswered: boolean;
}>;

/**
 * The one listing of a reconcile, asked for early: the engine answers while files are written and read. It fails
 * when the engine cannot be reached; one that only answers in words of its own has nothing listed, and the commands
 * that follow tell the truth for each app.
 */
export function beginListing(box: Pick<BoxPorts, 'containers'>): Listing {
  const listing = list(box);
  // Whoever uses it hears of its fault; until then the fault must not end the process.
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

/** The same for who has nothing else to do meanwhile. */
export async function listContainers(box: Pick<BoxPorts, 'containers'>): Promise<ContainerState[]> {
  const { containers, failure } = await beginListing(box);
  if (failure !== null) throw failure;
  return containers;
}
