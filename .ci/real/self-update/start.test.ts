import { after, before, test } from 'node:test';
import { sample } from '../support/random.ts';
import { fails, feed, first, release, reset, startBox, updatesWell } from './box.ts';
import type { Script } from './versions.ts';

before(() => startBox({ waitSeconds: 1 }));
after(async () => {
  await reset();
  await feed.close();
});

const launcher = `exec "$node" /opt/boxgate/${first}/src/cli/boxgate.cjs box serve`;
const server = 'exec "$node" "$here/server.cjs"';

/** A process that ends at once may end before the updater inspects it, or before systemd calls its unit started. */
const ends = /starts and then ends|does not answer: ECONNREFUSED|the unit boxgate-box\.service did not start/;

/** New versions whose fault shows only after the restart of the service. */
const scripts: [string, RegExp, string][] = [
  ['does not start', ends, 'exit 1'],
  ['has a setting that it does not take', ends, 'exit 2'],
  ['is no program', ends, 'exec /opt/boxgate/none'],
  ['is killed', ends, 'kill -KILL $$'],
  ['answers once and dies', /starts and then ends/, `TEST_DIES=1 ${server}`],
  ['never answers', /does not answer/, 'exec sleep 1000'],
  ['answers as another version', /answers as/, `TEST_VERSION=1.2.3 ${server}`],
  ['answers as the version before', /answers as/, launcher],
  ['answers with errors', /answers with status 500/, `TEST_STATUS=500 ${server}`],
  ['cannot read the state directory', ends, `BOX_STATE_DIR=/dev/null/state ${launcher}`],
];

for (const [name, reason, serve] of sample(scripts, 4)) {
  test(`a new version that ${name}`, async () => {
    const script: Script = { serve };
    feed.announce(release({}, script));
    await fails({ reason, restarts: true });
  });
}

test('after all that a good update works', async () => {
  await reset({ waitSeconds: 10 });
  await updatesWell();
});
