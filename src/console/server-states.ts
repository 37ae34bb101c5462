import type { ShownState } from '../box/known-apps.ts';
import type { BoxPorts } from '../box/ports.ts';

/**
 * The states of apps are those of the box's server, which follows the engine and knows what it pulls. Without its answer,
 * this process looks at the containers itself.
 * @param ask - the states by name; `null` without an answer
 */
export function withServerStates(box: BoxPorts, ask: () => Promise<ReadonlyMap<string, ShownState> | null>): BoxPorts {
  let told: ReadonlyMap<string, ShownState> | null = null;
  // A look of this process is newer.
  box.observer.onPicture(() => {
    told = null;
  });
  return {
    ...box,
    states: {
      ...box.states,
      of: (apps) => told ?? box.states.of(apps),
      async firstSnapshot() {
        told = await ask();
        if (told === null) await box.observer.look();
      },
    },
  };
}
