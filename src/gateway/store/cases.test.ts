import { describe, it } from 'node:test';
import { casesOfBoxes } from '../testing/store-cases-boxes.ts';
import { casesOfPeers } from '../testing/store-cases-peers.ts';
import { casesOfRoutes } from '../testing/store-cases-routes.ts';
import { file, makeStoreFixture, memory, postgres } from '../testing/store-fixtures.ts';

for (const kind of [memory, file, postgres]) {
  for (const [of, cases] of Object.entries({ boxes: casesOfBoxes, routes: casesOfRoutes, peers: casesOfPeers })) {
    describe(`${of} in the store on ${kind.name}`, { skip: kind.skip }, () => {
      for (const [obligation, holds] of Object.entries(cases)) {
        it(obligation, async (t) => holds(await (await makeStoreFixture(kind, t)).open()));
      }
    });
  }
}
