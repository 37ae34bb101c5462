import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach } from 'node:test';
import { makeQueue } from '../../lib/queue.ts';
import { temporaryFolder } from '../../lib/testing/temporary-folder.ts';
import { FolderRepository } from '../../restic/testing/folder-repository.ts';
import { makeUpdateFiles } from '../../self-update/adapters/update-files.ts';
import { makeChanges } from '../adapters/changes.ts';
import { makeCatalogueFolders } from '../adapters/files/catalogue-folders.ts';
import { makeDiskMemory } from '../adapters/files/disks.ts';
import { makeApps } from '../apps/make-apps.ts';
import type { AppsBox } from '../apps/ports.ts';
import { backupSubject } from '../backup/backup-problems.ts';
import { makeBackups } from '../backup/make-backups.ts';
import type { Notice } from '../core.ts';
import { makeDoctor } from '../doctor/make-doctor.ts';
import type { Sockets } from '../engine/ports.ts';
import { makeHttps } from '../https/make-https.ts';
import { makeLogs } from '../logs/make-logs.ts';
import { makeBase, makeCore } from '../make-base.ts';
import { makeNotify } from '../notify/make-notify.ts';
import { makeOwnApps } from '../own-apps/make-own-apps.ts';
import type { Box } from '../server.ts';
import { makeSpace } from '../space/make-space.ts';
import { makeStores } from '../stores/make-stores.ts';
import { makeVersions } from '../versions/make-versions.ts';
import { MemoryCaddy } from './memory-caddy.ts';
import { MemoryContainers } from './memory-containers.ts';
import { MemoryLogs } from './memory-logs.ts';
import { MemoryMachine } from './memory-machine.ts';
import { MemoryNotifications } from './memory-notifications.ts';
import { MemoryVolumes } from './memory-volumes.ts';
import { noAddresses } from './no-addresses.ts';

export type Files = Record<string, string | Buffer>;

const testSettings = {
  keepRemovedDays: 7,
  keepImagesDays: 7,
  console: { host: '127.0.0.1', port: 7001 },
  catalogue: [],
  backupRepository: null,
  backupVariables: '',
  backupAt: null,
  backupKeep: null,
  backupBeforeUpdate: true,
  notify: null,
};

/** A box on real folders, with a fake engine in memory, a clock that only a pause moves, and no lock. */
export function makeTestBox(parent?: string) {
  return testBoxAt(parent === undefined ? temporaryFolder() : mkdtempSync(join(parent, 'boxgate-test-')));
}

/** Like `makeTestBox`, on existing folders. */
export function testBoxAt(root: string, containers = new MemoryContainers()) {
  const directories = {
    catalogue: join(root, 'catalogue'),
    bundled: join(root, 'bundled'),
    installed: join(root, 'apps'),
    state: join(root, 'state'),
  };
  const { catalogue: _absent, ...made } = directories;
  for (const directory of Object.values(made)) mkdirSync(directory, { recursive: true });
  let hasTimer = false;
  const timer = {
    enable: async () => {
      hasTimer = true;
    },
    disable: async () => {
      hasTimer = false;
    },
    nextAt: async () => (hasTimer ? new Date('2026-11-27T03:30:00Z') : null),
  };
  const clock = { now: new Date('2026-01-02T03:04:05Z') };
  const warnings: string[] = [];
  const faults: unknown[] = [];
  const changes: Parameters<AppsBox['journal']>[0][] = [];
  const notices: Notice[] = [];
  const machine = new MemoryMachine();
  const notifications = new MemoryNotifications();
  const sockets: ReturnType<Sockets['listening']> = [];
  const system = join(root, 'system');
  const disks = makeDiskMemory(directories.state, { mounts: join(system, 'mounts'), udev: system, devices: system });
  containers.now = () => clock.now.getTime();
  const queue = makeQueue();
  const { catalogue, bundled: shipped, state } = directories;
  const bundled = makeCatalogueFolders({ own: [catalogue], state, shipped }, (text) => warnings.push(text));
  const base = makeBase(
    { ...directories, bundled },
    {
      environment: {},
      disks,
      changes: { ...makeChanges(directories.state), run: queue, waiting: queue.waiting },
      now: () => clock.now,
      pause: async (ms) => {
        clock.now = new Date(clock.now.getTime() + ms);
      },
      warn: (text) => warnings.push(text),
      report: (fault) => `fault ${faults.push(fault)}`,
    },
  );
  const repository = new FolderRepository(join(root, 'repository'));
  const volumes = new MemoryVolumes(join(root, 'volumes'));
  containers.data = volumes;
  const logs = new MemoryLogs();
  const caddy = new MemoryCaddy();
  const notify = { notifications, notify: (notice: Notice) => notices.push(notice), deliver: async () => undefined };
  const selfUpdate = { updateFiles: makeUpdateFiles(directories.state) } as Box['selfUpdate'];
  const timerless = { enable: async () => undefined, disable: async () => undefined };
  const box: AppsBox = {
    ...makeCore(base, containers),
    ...makeApps(base, testSettings),
    addresses: noAddresses,
    https: {
      ...makeHttps(base, testSettings),
      caddy,
      certificates: { missing: async () => null, obtain: async () => 'certificate\n', forget: async () => undefined },
      timer: timerless,
      composeVersion: async () => '2.26.1',
      resolve: machine.resolve,
      homeAddresses: () => ['192.168.1.7'],
    },
    backup: {
      ...makeBackups(base, testSettings),
      repository,
      timer,
      own: { catalogue: [], find: () => [], isEmpty: () => true, makeParent: async () => undefined },
    },
    sockets: { listening: () => sockets },
    journal: (entry) => changes.push(entry),
  };
  const { space } = makeSpace(base, box, testSettings, {
    disks: async () => [],
    folderBytes: async () => 1000,
    engineUsage: async () => ({ images: [], volumes: [] }),
    images: containers.engineImages(),
  });
  const whole: Box = {
    ...{ ...box, space, selfUpdate, machine, hostName: notifications.machine, names: [] },
    logs: { ...makeLogs(base).logs, read: (...read) => logs.read(...read), usage: async () => new Map() },
    ...makeVersions(base, box, { askRegistry: async () => ({ problem: 'nobody answers' }), timer: timerless }),
    ...makeNotify(base, { ...box, selfUpdate }, testSettings, notify),
    ...makeStores(base, box),
    ...makeOwnApps(base, box, [catalogue]),
    page: () => ({ html: '<!doctype html>', headers: { 'Content-Type': 'text/html; charset=utf-8' } }),
  };
  box.subjects.push(backupSubject(box));
  makeDoctor(whole);
  return {
    root,
    directories,
    work: base.work,
    box: whole,
    containers,
    logs,
    caddy,
    repository,
    volumes,
    space,
    clock,
    sockets,
    warnings,
    machine,
    notifications,
    /** The notices that the box gave, also without a change of state. */
    notices,
    /** The entries of the journal. */
    changes,
    /** Reported faults, the first as `fault 1`. */
    faults,
    /** An app in the owner's catalogue, which comes before a bundled one of the same name. */
    own: (name: string, files: Files = {}) => writeApp(join(directories.catalogue, name), files),
    bundle: (name: string, files: Files = {}) => writeApp(join(directories.bundled, name), files),
    /** Replaces the list of stores, and writes the apps of their copies: by store, then by name. */
    stores: (stores: Record<string, Record<string, Files>>) => {
      for (const [store, apps] of Object.entries(stores))
        for (const [name, files] of Object.entries(apps)) writeApp(join(state, 'stores', `${store}.1`, name), files);
      const read = { revision: '', readAt: '', problem: null, offered: 0, leftOut: 0 };
      const list = Object.keys(stores).map((name) => ({ name, address: `/${name}`, copy: `${name}.1`, ...read }));
      writeFiles(state, { 'stores.json': JSON.stringify(list) });
    },
    installed: (name: string, files: Files = {}) => writeApp(join(directories.installed, name), files),
    file: (name: string) => readFileSync(join(directories.installed, name), 'utf8'),
    /** Mounts file systems at these places, beside the root. */
    mount: (...places: string[]) => writeMounts(system, places),
    /** Every path below the root; directories end with a slash. */
    tree: () => treeOf(root, ''),
    dispose: () => rmSync(root, { recursive: true, force: true }),
  };
}

export type TestBox = ReturnType<typeof makeTestBox>;

/**
 * Gives each test of the file a new test box at its first use, which is removed after the test. It is made so late
 * because the hooks of a file run for the tests of all files of one process.
 */
export function useTestBox(parent?: string): TestBox {
  let current: TestBox | null = null;
  afterEach(() => {
    current?.dispose();
    current = null;
  });
  return new Proxy({} as TestBox, {
    get(_, key) {
      current ??= makeTestBox(parent);
      return Reflect.get(current, key);
    },
  });
}

const simpleApp: Files = {
  'manifest.json': JSON.stringify({ name: 'app', version: '1.0.0', settings: [{ name: 'PORT' }] }),
  'compose.yaml': 'services:\n  web:\n    image: registry/web:1\n    restart: always\n',
};

function writeMounts(folder: string, places: readonly string[]): void {
  const lines = ['/', ...places].map(
    (place, number) => `${number} 0 8:${number} / ${place} rw - ext4 /dev/sd${number} rw`,
  );
  writeFiles(folder, { mounts: lines.join('\n') });
}

/** Writes an app of one service with these files. A file with the text '' is not written. Existing files stay. */
function writeApp(folder: string, files: Files): string {
  const missing = Object.entries(simpleApp).filter(([name]) => !existsSync(join(folder, name)));
  const all = { ...Object.fromEntries(missing), ...files };
  return writeFiles(folder, Object.fromEntries(Object.entries(all).filter(([, text]) => text !== '')));
}

export function writeFiles(folder: string, files: Files): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
    if (name.endsWith('.sh')) chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

export function treeOf(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? [`${path}/`, ...treeOf(root, path)] : [path];
    });
}
