import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { generator, isComplete, sample, seed } from '../support/random.ts';
import { apply, countFailure, fails, feed, release, reset, runsEither, startBox, unit, updatesWell } from './box.ts';
import { machine } from './machine.ts';
import { holdAt, holds, slowStops } from './stages.ts';
import { job, readState, theEnd } from './state.ts';

/** The updater is killed, alone and together with the server, and must recover without help. */
before(async () => {
  await startBox();
  await slowStops();
});
after(async () => {
  await reset();
  await feed.close();
});

const interrupted = /^interrupted$/;

for (const hold of sample(holds, 3)) {
  for (const units of [[job], [job, unit]]) {
    const isServerToo = units.length > 1;
    test(`kill -9 of the updater${isServerToo ? ' and the server' : ''} at ${hold.stage}`, async () => {
      await hold.begin();
      await fails({ reason: interrupted, restarts: hold.isSwitched, dies: isServerToo }, async (watch) => {
        await holdAt(hold, watch);
        machine.kill(...units);
        hold.letGo();
      });
    });
  }
}

test('kill -9 of the updater, alone or with the server, at any moment', async () => {
  const random = generator(seed);
  for (let round = 0; round < (isComplete ? 3 : 1); round += 1) {
    countFailure();
    const made = release();
    feed.announce(made);
    const { attempt } = readState();
    await apply();
    const moment = Math.floor(random() * 4500);
    await pause(moment);
    machine.kill(...(round % 2 === 0 ? [job] : [job, unit]));
    const end = await theEnd(attempt);
    const isNew = await runsEither(made.version, end).catch((error: Error) => {
      throw new Error(`killed after ${moment} ms: ${error.message}`, { cause: error });
    });
    if (isNew) await reset();
  }
});

test('after all that a good update works', updatesWell);
