import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { stoppedBy, UpdateFailed } from './rules/update-failed.ts';
import {
  type EnvironmentOptions,
  type MemoryEnvironment,
  makeMemoryEnvironment,
  signedFeed,
} from './testing/memory-environment.ts';
import type { Behaviour } from './testing/memory-server.ts';
import { runUpdate } from './updater.ts';

const id = 'attempt-1';
const stages = 'checking downloading verifying staging switching restarting health_check'.split(' ');

async function updated(options: EnvironmentOptions = {}, change: (environment: MemoryEnvironment) => void = () => {}) {
  const environment = makeMemoryEnvironment(options);
  change(environment);
  const end = await runUpdate(environment.ports, id);
  return { ...environment, end, written: environment.files.written };
}

describe('an update', () => {
  test('installs a newer version and keeps the one before', async () => {
    const { end, server, software, written } = await updated();
    assert.deepEqual([end.stage, end.message], ['done', 'version 2.0.0 runs']);
    assert.equal(await software.current(), '2.0.0');
    assert.deepEqual(software.events, ['switch to 2.0.0', 'commit']);
    assert.deepEqual(server.starts, ['2.0.0']);
    assert.deepEqual([...software.versions].sort(), ['1.0.0', '2.0.0']);
    assert.deepEqual([...new Set(written.map(({ stage }) => stage))], [...stages, 'done']);
  });

  test('choice/box/131: writes down versions, bytes and the changelog', async () => {
    const { written } = await updated();
    const last = written.at(-1);
    assert.deepEqual([last?.from, last?.to, last?.outcome], ['1.0.0', '2.0.0', 'updated']);
    assert.equal(last?.changelog, 'https://example.org/changelog');
    assert.deepEqual([last?.bytes, last?.bytes_total, last?.progress], [1000, 1000, 1]);
    assert.deepEqual(written[0]?.bytes, undefined);
  });

  test('writes the bytes of a download at most once a second', async () => {
    const { written } = await updated({}, ({ ports, stopwatch }) => {
      ports.archives.download = async (_url, { size, onBytes }) => {
        for (let bytes = 0; bytes <= size; bytes += 1) {
          await stopwatch.pause(10);
          await onBytes(bytes);
        }
      };
    });
    const seen = written.filter(({ stage }) => stage === 'downloading').map(({ bytes }) => bytes);
    assert.deepEqual(seen, [0, 99, 199, 299, 399, 499, 599, 699, 799, 899, 999]);
  });

  test('gives every state the attempt, the unit and its times', async () => {
    const { written } = await updated();
    for (const state of written) {
      assert.deepEqual([state.attempt, state.unit], [id, 'boxgate-update.service']);
      assert.equal(state.started_at, '2026-03-02T10:00:00.000Z');
      assert.equal(state.finished_at, state === written.at(-1) ? '2026-03-02T10:00:00.000Z' : undefined);
    }
  });

  const notNewer = [
    ['does nothing where its version is the newest', '1.0.0'],
    ['never takes a downgrade', '0.9.0'],
  ] as const;
  for (const [name, version] of notNewer) {
    test(name, async () => {
      const { written, software } = await updated({ feed: signedFeed(version) });
      assert.deepEqual(
        written.map(({ stage, outcome, to }) => [stage, outcome, to]),
        [
          ['checking', undefined, undefined],
          ['done', 'unchanged', '1.0.0'],
        ],
      );
      assert.deepEqual(software.events, [], `nothing is done for version ${version}`);
    });
  }

  test('does nothing beside an update that runs, and leaves its lock alone', async () => {
    const { ports, files } = makeMemoryEnvironment();
    await ports.updateFiles.lock();
    assert.deepEqual(await runUpdate(ports, id), { stage: 'already running' });
    assert.deepEqual(files.written, []);
    assert.ok(files.isHeld());
  });

  test('frees the lock at its end', async () => {
    const { files } = await updated({ feed: 'no feed' });
    assert.ok(!files.isHeld());
  });

  test('choice/box/365: switches under the lock of changes, and holds it no longer', async () => {
    const { software } = await updated({}, ({ ports, software }) => {
      ports.lockChanges = async (seconds) => {
        software.events.push(`lock within ${seconds} s`);
        return { release: () => software.events.push('release') };
      };
    });
    const events = ['lock within 1800 s', 'switch to 2.0.0', 'release', 'commit'];
    assert.deepEqual(software.events, events);
  });

  test('choice/box/365: restarts the unit that the settings name, else the one that the server names', async () => {
    for (const unit of ['own.service', null]) {
      const restarted: string[] = [];
      await updated({}, ({ ports }) => {
        ports.unit = unit;
        const { restart } = ports.manager;
        ports.manager.restart = (name) => {
          restarted.push(name);
          return restart(name);
        };
      });
      assert.deepEqual(restarted, [unit ?? 'boxgate-box.service']);
    }
  });

  test('what the update leaves to its operator is part of the message', async () => {
    for (const [remarks, said] of [
      [async (folder: string) => [`look into ${folder}`], /^version 2\.0\.0 runs; look into \/opt\/boxgate\/2\.0\.0$/],
      [() => Promise.reject(new Error('cannot look')), /^version 2\.0\.0 runs; cannot look$/],
    ] as const) {
      const { end } = await updated({}, ({ ports }) => {
        ports.product = { ...ports.product, remarks };
      });
      assert.match(end.message ?? '', said);
    }
  });

  test('choice/box/365: what is left to tidy up after the switch is part of the message', async () => {
    const { end, written } = await updated({}, ({ ports }) => {
      ports.unitFiles.bringUpTo = async (version) => {
        if (version === '2.0.0') throw new Error('cannot replace the units');
      };
    });
    assert.deepEqual([end.stage, written.at(-1)?.outcome], ['done', 'updated']);
    assert.equal(end.message, 'version 2.0.0 runs; cannot replace the units');
  });

  for (const folder of ['/opt/boxgate', '/srv/other']) {
    test(`a gateway that runs from ${folder} is named only if that is the folder of the update`, async () => {
      const { end } = await updated({}, ({ ports }) => {
        const { status } = ports.manager;
        ports.manager.status = async (asked) => ({
          ...(await status('boxgate-box.service')),
          ...(asked === 'boxgate-gateway.service' ? { command: `{ path=${folder}/current/bin/boxgate ; }` } : {}),
        });
      });
      const command = 'systemctl restart boxgate-gateway.service';
      const note = `; boxgate-gateway.service runs from /opt/boxgate as well: ${command}`;
      assert.equal(end.message, `version 2.0.0 runs${folder === '/opt/boxgate' ? note : ''}`);
    });
  }
});

type Fault = (environment: MemoryEnvironment) => void;
type FaultyPorts = Exclude<keyof MemoryEnvironment['ports'], 'now' | 'platform' | 'unit' | 'version' | 'waitSeconds'>;

/** Replaces one call of a port by one that has this result; an error is thrown. */
const replaced =
  (port: FaultyPorts, call: string, result: unknown): Fault =>
  ({ ports }) => {
    Object.assign(ports[port], {
      [call]: async () => {
        if (result instanceof Error) throw result;
        return result;
      },
    });
  };

const unsignedFeed = { text: '{"version": "2.0.0"}', address: 'file:///release.json' };
const otherProgram = { state: 'active', pid: 1, restarts: 0, command: '{ path=/usr/sbin/sshd }' };

/** Each failure before the switch must leave the box unchanged. */
const beforeSwitch: [title: string, fault: Fault, reason: RegExp][] = [
  [
    'a feed that is away',
    replaced('releaseFeed', 'read', new UpdateFailed('the release feed file:///x is not a file')),
    /is not a file/,
  ],
  [
    'a feed without a statement',
    replaced('releaseFeed', 'read', unsignedFeed),
    /version 2\.0\.0 is announced without a signed statement for linux-x64/,
  ],
  [
    'a signature of somebody else',
    ({ ports }) => {
      ports.keys.isSigned = () => false;
    },
    /not signed by the key/,
  ],
  [
    'a folder of another layout',
    replaced('software', 'current', null),
    /\/opt\/boxgate\/current is not a link to version 1\.0\.0, .*container or a checkout/,
  ],
  ...['1.5.0', '2.0.0'].map((version): [string, Fault, RegExp] => [
    `a folder whose current version is ${version}, as after an installation by hand`,
    replaced('software', 'current', version),
    new RegExp(`current leads to version ${version}, but version 1\\.0\\.0 runs; restart the box`),
  ]),
  ['a server that runs by itself', replaced('updateFiles', 'readRunning', null), /does not run as a service.*BOX_UNIT/],
  [
    'a service that is stopped',
    ({ server }) => {
      server.runs = null;
    },
    /boxgate-box\.service.*inactive instead of active/,
  ],
  [
    'the unit of another program',
    replaced('manager', 'status', otherProgram),
    /boxgate-box\.service does not start \/opt\/boxgate\/current/,
  ],
  [
    'too little free space',
    ({ software }) => {
      software.free = 64 * 1024 * 1024;
    },
    /needs 65 MiB of free space in \/opt\/boxgate, which has 64 MiB/,
  ],
  [
    'a machine that is not ready for the release',
    ({ ports }) => {
      const admit = async ({ storeSchema }: { storeSchema: number }) => assert.fail(`schema ${storeSchema}`);
      ports.product = { ...ports.product, admit };
    },
    /schema 7/,
  ],
  ['a download that fails', replaced('archives', 'download', new Error('it broke')), /^it broke$/],
  [
    'an archive with another digest',
    replaced('archives', 'digest', 'cd'.repeat(32)),
    /archive of version 2\.0\.0 is not the one that was signed/,
  ],
  ['an archive that cannot be unpacked', replaced('archives', 'unpack', new Error('climbs out')), /climbs out/],
  [
    'an archive with something else',
    replaced('software', 'checkStaged', new UpdateFailed('the archive holds something else: other 1.0.0')),
    /holds something else: other 1\.0\.0/,
  ],
  [
    'the change of an app that does not end',
    ({ ports }) => {
      ports.lockChanges = async () => null;
    },
    /in progress for 30 minutes/,
  ],
];

/** Failures after the switch: the previous version runs again. */
const afterSwitch: [behaviour: Behaviour, reason: RegExp][] = [
  ['does not start', /boxgate-box\.service did not start: Exec format error; journalctl -u boxgate-box\.service/],
  ['ends at once', /version 2\.0\.0 starts and then ends; journalctl/],
  ['ends every second', /version 2\.0\.0 starts and then ends/],
  ['is silent', /version 2\.0\.0 does not answer: connect ECONNREFUSED/],
  ['says that it is 3.0.0', /version 2\.0\.0 answers as "boxgate\/3\.0\.0"/],
  ['answers 500', /version 2\.0\.0 answers with status 500/],
];

/** choice/box/131, choice/box/365 */
describe('an update that fails before the switch leaves all as it was:', () => {
  for (const [title, fault, reason] of beforeSwitch) {
    test(title, async () => {
      const { end, server, software, written } = await updated({}, fault);
      assert.equal(end.stage, 'rolled_back');
      assert.match(end.reason ?? '', reason);
      const { outcome, message, finished_at } = written.at(-1) ?? {};
      assert.deepEqual([outcome, message, finished_at], ['unchanged', undefined, '2026-03-02T10:00:00.000Z']);
      assert.deepEqual([software.events, server.starts], [[], []]);
      assert.deepEqual([...software.versions], ['0.9.0', '1.0.0']);
    });
  }
});

/** choice/box/365 */
describe('an update that fails after the switch brings the version before back:', () => {
  for (const [behaviour, reason] of afterSwitch) {
    test(`a version that ${behaviour}`, async () => {
      const { end, server, software, written } = await updated({}, ({ server }) => {
        server.behaviours['2.0.0'] = behaviour;
      });
      assert.equal(end.stage, 'rolled_back');
      assert.match(end.reason ?? '', reason);
      assert.deepEqual([written.at(-1)?.outcome, end.message], ['reverted', 'version 1.0.0 runs again']);
      assert.deepEqual(software.events, ['switch to 2.0.0', 'roll back']);
      assert.deepEqual([server.starts, await software.current()], [['2.0.0', '1.0.0'], '1.0.0']);
      assert.deepEqual([...software.versions], ['0.9.0', '1.0.0']);
    });
  }

  test('and says so where that does not come back either', async () => {
    const { end } = await updated({}, ({ server }) => {
      server.behaviours = { '2.0.0': 'is silent', '1.0.0': 'is silent' };
    });
    assert.match(end.reason ?? '', /^version 2\.0\.0 does not .*; version 1\.0\.0, .*again, does not answer/);
    assert.equal(end.message, undefined);
  });

  test('also where the service manager refuses the first restart', async () => {
    const { end } = await updated({}, ({ server, ports }) => {
      server.behaviours['2.0.0'] = 'is silent';
      const { restart } = ports.manager;
      let isRefused = false;
      ports.manager.restart = async (name) => {
        if (server.runs !== '2.0.0' || isRefused) return restart(name);
        isRefused = true;
        assert.fail('start request repeated too quickly');
      };
    });
    assert.equal(end.message, 'version 1.0.0 runs again');
  });

  test('and says so where the link cannot be put back', async () => {
    const { end } = await updated({}, ({ server, ports }) => {
      server.behaviours['2.0.0'] = 'is silent';
      ports.software.rollBack = async () => assert.fail('the disk reports a fault');
    });
    assert.match(end.reason ?? '', /; the version before could not be started again: the disk reports a fault/);
  });
});

/** choice/box/135 */
describe('an updater that was killed and is started again', () => {
  const cutOff = { attempt: id, from: '1.0.0', to: '2.0.0', started_at: '2026-03-02T09:00:00Z' };

  test('says so if the version before does not come back', async () => {
    const { end } = await updated({ before: { ...cutOff, stage: 'restarting' } }, ({ server }) => {
      server.behaviours['1.0.0'] = 'is silent';
    });
    assert.match(end.message ?? '', /interrupted; version 1\.0\.0 runs; version 1\.0\.0, .*does not answer/);
  });

  test('ends an attempt as done whose switch was committed', async () => {
    const environment = makeMemoryEnvironment({ before: { ...cutOff, stage: 'health_check' } });
    await environment.software.switchTo('2.0.0');
    await environment.software.commit();
    const end = await runUpdate(environment.ports, id);
    assert.deepEqual([end.stage, end.message], ['done', 'version 2.0.0 runs']);
    assert.deepEqual([...environment.software.versions].sort(), ['0.9.0', '1.0.0']);
  });

  test('does not begin an attempt again that a server has ended, and removes its files', async () => {
    const before = { ...cutOff, stage: 'rolled_back', reason: 'interrupted' };
    let isCleared = false;
    const { end, written, software } = await updated({ before }, (environment) => {
      environment.software.versions.add('2.0.0');
      environment.software.clear = async () => {
        isCleared = true;
      };
    });
    assert.deepEqual([end, written], [before, []]);
    assert.deepEqual([isCleared, [...software.versions]], [true, ['0.9.0', '1.0.0', '2.0.0']]);
  });

  for (const forged of [
    { stage: 'restarting', to: '0.9.0' },
    { stage: 'staging', to: '0.9.0', from: '../../etc' },
    { stage: 'health_check', from: '3.0.0', to: '1.0.0' },
    { stage: 'rolled_back', to: '0.9.0' },
    { stage: 'done', to: '../../etc' },
  ]) {
    test(`a forged state ${JSON.stringify(forged)} removes no version`, async () => {
      const environment = makeMemoryEnvironment({ before: { ...cutOff, ...forged } });
      await runUpdate(environment.ports, id);
      assert.deepEqual([...environment.software.versions].sort(), ['0.9.0', '1.0.0']);
      assert.equal(await environment.software.current(), '1.0.0');
    });
  }

  test('restarts only a unit that runs from the software folder, whatever the state directory says', async () => {
    const environment = makeMemoryEnvironment({ before: { ...cutOff, stage: 'restarting' } });
    const { ports } = environment;
    ports.unit = null;
    ports.manager.status = async () => ({ state: 'active', pid: 1, restarts: 0, command: '{ path=/usr/sbin/sshd }' });
    ports.manager.restart = async (asked) => assert.fail(`restarts ${asked}`);
    const end = await runUpdate(ports, id);
    assert.equal(end.message, 'the update was interrupted; version 1.0.0 runs');
  });

  test('begins another attempt than the one that has ended', async () => {
    const before = { ...cutOff, attempt: 'earlier', stage: 'rolled_back', reason: 'interrupted' };
    assert.equal((await updated({ before })).end.stage, 'done');
  });

  test('rolls back the switch of an installation by hand that was cut off', async () => {
    const environment = makeMemoryEnvironment({ before: { ...cutOff, from: '0.9.0', to: '1.0.0', stage: 'done' } });
    await environment.software.switchTo('2.0.0');
    environment.server.start('2.0.0');
    await runUpdate({ ...environment.ports, version: '2.0.0' }, 'another');
    const { stage, reason, outcome, from, to, attempt, message } = environment.files.written.at(-1) ?? {};
    assert.deepEqual([stage, reason, outcome], ['rolled_back', 'interrupted', 'reverted']);
    assert.deepEqual([from, to, attempt], ['1.0.0', undefined, 'another']);
    assert.equal(message, 'the update was interrupted; version 1.0.0 runs');
    assert.deepEqual([environment.server.runs, await environment.software.current()], ['1.0.0', '1.0.0']);
  });
});

describe('an updater that is asked to stop', () => {
  for (const stage of stages) {
    test(`at ${stage} leaves the version before running`, async () => {
      const stop = new AbortController();
      const { end, server, software } = await updated({}, ({ ports, files }) => {
        ports.stopSignal = stop.signal;
        const { writeState } = files;
        ports.updateFiles.writeState = async (state) => {
          await writeState(state);
          if (state.stage === stage) stop.abort(stoppedBy('SIGTERM'));
        };
      });
      assert.deepEqual(
        [end.stage, end.reason],
        ['rolled_back', 'the update was stopped by a signal (SIGTERM); start it again'],
      );
      assert.deepEqual([server.runs, await software.current()], ['1.0.0', '1.0.0']);
      assert.deepEqual([...software.versions], ['0.9.0', '1.0.0']);
    });
  }

  test('says so also where the same signal has ended a command of the new version', async () => {
    const stop = new AbortController();
    const { end } = await updated({}, ({ ports }) => {
      ports.stopSignal = stop.signal;
      ports.software.checkStaged = async () => {
        stop.abort(stoppedBy('SIGTERM'));
        assert.fail('version 2.0.0 does not run on this machine: ended by SIGTERM');
      };
    });
    assert.match(end.reason ?? '', /^the update was stopped by a signal \(SIGTERM\)/);
  });

  test('stops in the middle of a download', async () => {
    const stop = new AbortController();
    let got = 0;
    const { end } = await updated({}, ({ ports }) => {
      ports.stopSignal = stop.signal;
      ports.archives.download = async (_url, { size, onBytes }) => {
        for (got = 0; got <= size; got += 1) {
          if (got === 7) stop.abort(stoppedBy('SIGINT'));
          await onBytes(got);
        }
      };
    });
    assert.deepEqual([got, end.stage], [7, 'rolled_back']);
  });
});

/** The ports with calls that write to the disk. */
const writers = ['updateFiles', 'software', 'archives', 'unitFiles'] as const;

/**
 * Makes the n-th write fail as on a full disk, before or after its effect. The result shows whether there was an n-th
 * write.
 */
function failAt(environment: MemoryEnvironment, n: number, when: 'before' | 'after') {
  let count = 0;
  const reading = ['readState', 'readRunning', 'lock', 'current', 'previous', 'freeBytes', 'digest'];
  for (const name of writers) {
    const port = environment.ports[name] as unknown as Record<string, unknown>;
    for (const [key, call] of Object.entries(port)) {
      if (typeof call !== 'function' || reading.includes(key)) continue;
      port[key] = async (...args: unknown[]) => {
        count += 1;
        const isTurn = count === n;
        if (isTurn && when === 'before') throw new Error('no space left on the disk');
        const result = await call.apply(port, args);
        if (isTurn) throw new Error('no space left on the disk');
        return result;
      };
    }
  }
  return () => count >= n;
}

/** choice/box/365 */
describe('a full disk at any write', () => {
  test('does not restart a service whose restart could not be written down', async () => {
    const { end, server, software } = await updated({}, ({ ports, files }) => {
      const { writeState } = files;
      ports.updateFiles.writeState = async (state) => {
        if (state.stage === 'restarting') throw new Error('no space left on the disk');
        await writeState(state);
      };
    });
    assert.deepEqual([end.stage, end.reason], ['rolled_back', 'no space left on the disk']);
    assert.deepEqual([server.starts, await software.current()], [[], '1.0.0']);
  });

  for (const when of ['before', 'after'] as const) {
    test(`ends with a version that runs, and a state that says which (${when} the write)`, async () => {
      let n = 0;
      for (let wasMet = true; wasMet; ) {
        n += 1;
        const environment = makeMemoryEnvironment();
        const isMet = failAt(environment, n, when);
        const end = await runUpdate(environment.ports, id);
        wasMet = isMet();
        const where = `write ${n}: ${JSON.stringify(end)}`;
        const current = await environment.software.current();
        assert.equal(await environment.software.previous(), null, where);
        assert.equal(environment.server.runs, current, where);
        assert.equal(end.stage, current === '2.0.0' ? 'done' : 'rolled_back', where);
        if (end.stage === 'rolled_back') assert.match(end.reason ?? '', /no space left/, where);
        if (!wasMet) assert.deepEqual([...environment.software.versions], ['1.0.0', '2.0.0']);
      }
      assert.ok(n > 20, 'an update writes often');
    });
  }
});
