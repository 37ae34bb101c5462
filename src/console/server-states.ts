import type { EngineBox } from '../box/engine/ports.ts';
import type { ShownState } from '../box/known-apps.ts';

export type AskStates = () => Promise<ReadonlyMap<string, ShownState> | null>;

/**
 * The states of apps are those of the box's server, which follows the engine and knows what it pulls. Without its answer,
 * this process looks at the containers itself.
 * @param ask - the states by name; `null` without an answer
 */
export function withServerStates<Box extends EngineBox>(box: Box, ask: AskStates): Box {
  let told: ReadonlyMap<string, ShownState> | null = null;
  // A look of this process is newer.
  box.observer.onPicture(() => {
    told = null;
  });
  return {
    ...box,
    states: {
      ...box.states,
      of(apps) {
        const own = box.states.of(apps);
        return told ?? own;
      },
      async firstPicture() {
        told = await ask();
        if (told === null) await box.observer.look();
      },
    },
  };
}

/** Tells whether the state of an app has changed since it was asked last; also `true` if nobody knows. */
export function watchState(ask: AskStates, app: string): () => Promise<boolean> {
  let before: string | undefined;
  return async () => {
    const state = (await ask())?.get(app);
    const now = state === undefined ? undefined : JSON.stringify(state);
    const isSame = now !== undefined && now === before;
    before = now;
    return !isSame;
  };
}
