import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { Fault } from '../../../../fakes/wg-easy/faults.ts';
import type { Operation } from '../../../../fakes/wg-easy/handler/routes.ts';
import { type Dialect, dialects } from '../../../../fakes/wg-easy/model/dialect.ts';
import { assertOnlyBefore, failureOf, named, namesAt, setUpTunnels, timeOfCalls } from '../../testing/tunnels.ts';

/**
 * A tunnel manager that accepts a call and never responds. The test ends the time limit of the call, so that it does not
 * wait ten seconds. The tests replace the timer of the process, so they run one at a time.
 */
const callMs = 10_000;
const phrase = /^not answering \(no answer within 10 s\)/;
const limits = { timeout: 60_000 };

/** A manager with a session, and a function that returns the failure of a hanging call. */
async function setUp(t: TestContext, dialect: Dialect) {
  const endCall = timeOfCalls(t, callMs);
  const fixture = await setUpTunnels(t, { dialect });
  await fixture.tunnels.listPeers();
  return {
    ...fixture,
    async givenUp(call: Promise<unknown>, fault: Fault, isDone: () => boolean) {
      const failure = failureOf(call);
      while (fault.struck() === 0 || !isDone()) await new Promise(setImmediate);
      endCall();
      return failure;
    },
  };
}

for (const dialect of dialects) {
  const reads: Operation[] = dialect === '15.4' ? ['configuration'] : ['list', 'configuration'];

  describe(`a create that hangs at ${dialect} is sent once, leaves nothing, and says whether anything may come`, () => {
    for (const [on, kind, peerMayRemain] of [
      ['create', 'hang-before', true],
      ['create', 'hang-after', false],
      ...reads.map((read) => [read, 'hang-before', false] as const),
    ] as const) {
      test(`${on}: ${kind}`, limits, async (t) => {
        const { manager, tunnels, givenUp } = await setUp(t, dialect);
        await tunnels.createPeer('before');
        const fault = manager.faults.script({ kind, on });
        const isMade = () => peerMayRemain || namesAt(manager).includes('a');
        const failure = await givenUp(tunnels.createPeer('a'), fault, isMade);
        assert.equal(fault.struck(), 1);
        assert.match(failure.phrase, phrase);
        assert.equal(failure.peerMayRemain, peerMayRemain);
        assertOnlyBefore(manager);
        assert.equal((await tunnels.createPeer('after')).address, '10.8.0.3');
      });
    }
  });

  for (const kind of ['hang-before', 'hang-after'] as const) {
    test(`a delete at ${dialect}, ${kind}: is a failure, and asking again removes what is left`, limits, async (t) => {
      const { manager, tunnels, givenUp } = await setUp(t, dialect);
      for (const name of ['a', 'b', 'a']) manager.add(name);
      const fault = manager.faults.script({ kind, on: 'delete' });
      const isGone = () => kind === 'hang-before' || namesAt(manager).length === 2;
      const failure = await givenUp(tunnels.removePeers(named('a')), fault, isGone);
      assert.match(failure.phrase, phrase);
      assert.equal(await tunnels.removePeers(named('a')), kind === 'hang-before' ? 2 : 1);
      assert.deepEqual(namesAt(manager), ['b']);
    });
  }
}
