import { withoutSecrets } from './app-files/without-secrets.ts';
import { showOperations } from './apps/operations.ts';
import type { Containers } from './core.ts';
import { makeEngine } from './engine/make-engine.ts';
import type { Base } from './make-base.ts';

/** What every subject may use. `outer`: the engine's containers, with what subjects do at each change of them. */
export function makeCore(base: Base, outer: Containers) {
  const { apps, folders, records, now, pause, warn, report, changes, states, stateDirectory } = base;
  const containers = withoutSecrets(outer, { folders, apps, report });
  return {
    ...{ apps, folders, records, containers, now, pause, warn, report, stateDirectory },
    subjects: [],
    ...makeEngine(base, containers),
    ...showOperations(changes, changes.told, now, states.refresh),
  };
}
