import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleContainer } from '../../testing/sample-container.ts';
import type { Container } from './container.ts';
import { type BroughtUp, faultsOf, onePerService } from './container-faults.ts';

const web = (fields: Partial<Container> = {}) => sampleContainer('a', { startedAt: 1, ...fields });
const problemsOf = (after: Partial<Container>, before: Partial<Container> | null, by: BroughtUp['by'] = 'change') =>
  faultsOf([web(after)], { project: 'a', before: before === null ? [] : [web(before)], by }).map(({ problem }) =>
    problem.replace('a-web-1 ', ''),
  );

const again = 'does not stay up: it ended with status 3, and Docker starts it again and again';
const cases: [
  after: Partial<Container>,
  before: Partial<Container> | null,
  change: string | null,
  update: string | null,
][] = [
  [{}, null, null, null],
  [{ health: 'starting' }, null, null, null],
  [{ state: 'restarting', exitCode: 3 }, null, again, again],
  [{ state: 'restarting', exitCode: 3 }, { restartCount: 2 }, again, null],
  [{ state: 'dead' }, null, 'does not stay up', 'does not stay up'],
  [{ health: 'unhealthy' }, {}, 'is unhealthy', 'is unhealthy'],
  [{ health: 'unhealthy' }, { health: 'unhealthy' }, 'is unhealthy', null],
  [{ state: 'exited', exitCode: 3 }, null, 'ended with status 3', 'ended with status 3'],
  [{ state: 'exited', exitCode: 0 }, null, 'ended with status 0', 'ended with status 0'],
  [{ state: 'exited', exitCode: 0, restarts: false }, null, null, null],
  [{ state: 'exited', exitCode: 3 }, { state: 'exited' }, null, null],
  [{ state: 'exited', exitCode: 3, startedAt: 2 }, { state: 'exited' }, 'ended with status 3', 'ended with status 3'],
  [
    { restartCount: 1 },
    null,
    'does not stay up: Docker has started it again once',
    'does not stay up: Docker has started it again once',
  ],
  [
    { restartCount: 4 },
    { state: 'exited', restartCount: 3 },
    'does not stay up: Docker has started it again 4 times',
    null,
  ],
  [{ restartCount: 3 }, { restartCount: 3 }, null, null],
  [{ restartCount: 4 }, { restartCount: 3 }, 'does not stay up: Docker has started it again 4 times', null],
];
for (const [after, before, change, update] of cases) {
  test(`${JSON.stringify(after)} after ${JSON.stringify(before)}: ${change ?? 'no fault'}`, () => {
    const asList = (problem: string | null) => (problem === null ? [] : [problem]);
    assert.deepEqual(problemsOf(after, before), asList(change));
    assert.deepEqual(problemsOf(after, before, 'update'), asList(update));
  });
}

test('containers of other projects and one-off ones have no fault; a service has one', () => {
  const dead = { state: 'dead' };
  const containers = [web(dead), web({ ...dead, id: '2' }), web({ ...dead, oneOff: true }), sampleContainer('b', dead)];
  const faults = faultsOf(containers, { project: 'a', before: [], by: 'change' });
  assert.equal(faults.length, 2);
  assert.deepEqual(onePerService(faults), faults.slice(0, 1));
});
