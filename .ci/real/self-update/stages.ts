import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import type { Release } from './archive.ts';
import { closeGate, feed, openGates, release, unit } from './box.ts';
import { freeze, machine, writeThere } from './machine.ts';
import { job, stateDir, type Watch } from './state.ts';
import { waitFor } from './versions.ts';

/** A way to stop an update to a good release at a stage. */
type Hold = {
  stage: string;
  isSwitched: boolean;
  begin(): Promise<void>;
  at?(watch: Watch): Promise<void>;
  letGo(): void;
};

let letGoFeed = () => {};
let letGoLock = () => {};

function announced(made: Release): void {
  feed.announce(made);
}

const half = (made: Release): void => {
  announced(made);
  const rest: (() => void)[] = [];
  feed.archive = (response) => {
    const middle = Math.floor(made.archive.length / 2);
    response.setHeader('content-length', made.archive.length);
    response.write(made.archive.subarray(0, middle));
    rest.push(() => response.end(made.archive.subarray(middle)));
  };
  letGoFeed = () => {
    for (const one of rest.splice(0)) one();
  };
};

/** Holds the change lock like a change of apps, until the lock is released or the machine ends. */
async function holdChanges(): Promise<void> {
  const command = ['flock', `${stateDir}/change.lock`, 'sh', '-c', 'echo held; read line'];
  const child = spawn('nsenter', machine.enter(command), { stdio: ['pipe', 'pipe', 'ignore'] });
  await once(child.stdout, 'data');
  child.stdin.on('error', () => undefined);
  letGoLock = () => child.stdin.end('\n');
}

/** The stages of an update in order, each with a way to hold the update there. */
export const holds: Hold[] = [
  {
    stage: 'checking',
    isSwitched: false,
    async begin() {
      announced(release());
      letGoFeed = feed.hold('feed');
    },
    letGo: () => letGoFeed(),
  },
  {
    stage: 'downloading',
    isSwitched: false,
    begin: async () => half(release()),
    letGo: () => letGoFeed(),
  },
  {
    stage: 'verifying',
    isSwitched: false,
    // The archive is large, so that the test can freeze the updater while it verifies.
    begin: async () => announced(release({}, {}, [{ name: 'large', content: randomBytes(64 * 1024 * 1024) }])),
    async at(watch) {
      await watch.reaches('verifying');
      freeze(job, true);
    },
    letGo: () => freeze(job, false),
  },
  {
    stage: 'staging',
    isSwitched: false,
    async begin() {
      closeGate('help');
      announced(release({}, { help: waitFor('help') }));
    },
    letGo: openGates,
  },
  {
    stage: 'switching',
    isSwitched: false,
    async begin() {
      await holdChanges();
      announced(release());
    },
    letGo: () => letGoLock(),
  },
  {
    stage: 'restarting',
    isSwitched: true,
    async begin() {
      closeGate('stop');
      announced(release());
    },
    letGo: openGates,
  },
  {
    stage: 'health_check',
    isSwitched: true,
    async begin() {
      closeGate('serve');
      announced(release({}, { serve: `${waitFor('serve')}; exec "$node" "$here/server.cjs"` }));
    },
    letGo: openGates,
  },
];

/** Returns once the update has reached the stage. */
export async function holdAt(hold: Hold, watch: Watch): Promise<void> {
  await (hold.at?.(watch) ?? watch.reaches(hold.stage));
  assert.equal(watch.seen.at(-1)?.stage, hold.stage);
}

/** Makes a stop of the service wait while the gate `stop` is closed. */
export async function slowStops(): Promise<void> {
  const dropIn = `/etc/systemd/system/${unit}.d`;
  mkdirSync(machine.path(dropIn), { recursive: true });
  writeThere(`${dropIn}/stop.conf`, `[Service]\nExecStop=/bin/sh -c '${waitFor('stop')}'\n`);
  await machine.mustRun(['systemctl', 'daemon-reload']);
}
