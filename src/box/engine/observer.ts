import { ContainersFailed, type Core, faultText, type Observer, type Picture } from '../core.ts';
import type { EngineBox } from './ports.ts';
import type { Container } from './rules/container.ts';

type ObserverBox = Pick<EngineBox, 'containers' | 'folders' | 'states' | 'report'>;

export function makeObserver(box: ObserverBox): Observer {
  let begun = 0;
  let latest = 0;
  const listeners: ((picture: Picture) => void)[] = [];
  return {
    async look() {
      begun += 1;
      const turn = begun;
      const picture = await takePicture(box);
      // A look that began earlier may end later.
      if (turn > latest) {
        latest = turn;
        const { containers, failure } = picture;
        box.states.update(failure === null ? { containers } : { failure: shownFailure(failure) });
        for (const listener of listeners) listener(picture);
      }
      return picture;
    },
    looks: () => begun,
    onPicture(listener) {
      listeners.push(listener);
    },
  };
}

async function takePicture(box: ObserverBox): Promise<Picture> {
  try {
    const containers = await box.containers.observe();
    return { containers: withKnownPaths(box, containers), failure: null };
  } catch (error) {
    const failure =
      error instanceof ContainersFailed ? error : new ContainersFailed(faultText(box, error), true, error);
    return { containers: [], failure };
  }
}

/** An installed app's folder may have another name in the labels: the folder of all apps was moved and linked. */
function withKnownPaths(box: ObserverBox, containers: readonly Container[]): Container[] {
  const paths = new Set(containers.map(({ workingDirectory }) => workingDirectory));
  const known = new Map([...paths].map((path) => [path, box.folders.knownPath(path)]));
  return containers.map((one) => ({ ...one, workingDirectory: known.get(one.workingDirectory) ?? '' }));
}

function shownFailure({ message, unreachable }: ContainersFailed): string {
  return unreachable ? message : `Docker does not say what its containers do: ${message}`;
}

/** The containers; throws if the engine cannot be reached. Empty with a container tool that does not list them. */
export async function lookAtContainers(box: Pick<Core, 'observer'>): Promise<Container[]> {
  const { containers, failure } = await box.observer.look();
  if (failure?.unreachable) throw failure;
  return containers;
}

/** The containers; throws if the engine does not say what they do. */
export async function allContainers(box: Pick<Core, 'observer'>): Promise<Container[]> {
  const { containers, failure } = await box.observer.look();
  if (failure !== null) throw failure;
  return containers;
}
