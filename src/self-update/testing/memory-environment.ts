import assert from 'node:assert/strict';
import type { SoftwareFolder, UpdaterPorts } from '../ports.ts';
import { boxProduct } from '../product.ts';
import type { UpdateState } from '../rules/update-state.ts';
import { address, makeServer, makeStopwatch, portsOf, unit } from './memory-server.ts';
import { statementWith } from './publisher.ts';

type MemoryFolder = SoftwareFolder & { versions: Set<string>; events: string[]; free: number };

/** The digest of every archive. */
const sha256 = 'ab'.repeat(32);

/** A feed that announces a version with a statement. */
export function signedFeed(version: string, fields: Record<string, unknown> = {}): string {
  const statement = statementWith({ version, sha256, ...fields });
  const archive = { url: `https://example.org/${version}`, sha256, signature: 'AA==', statement };
  return JSON.stringify({ version, archives: { 'linux-x64': archive } });
}

/** A box at version 1.0.0 whose feed announces version 2.0.0. Everything is in memory. */
export function makeMemoryEnvironment({ feed = signedFeed('2.0.0'), before = null }: EnvironmentOptions = {}) {
  const stopwatch = makeStopwatch();
  const server = makeServer('1.0.0');
  const software = makeMemoryFolder();
  const files = makeMemoryFiles(before);
  const ports: UpdaterPorts = {
    ...portsOf(server, stopwatch, software.current),
    product: boxProduct,
    version: '1.0.0',
    platform: 'linux-x64',
    unit: null,
    waitSeconds: 10,
    now: () => new Date('2026-03-02T10:00:00Z'),
    stopwatch,
    releaseFeed: { read: async () => ({ text: feed, address: 'https://example.org/release.json' }) },
    keys: { trusted: async () => 'key', isSigned: () => true },
    archives: {
      async download(_url, { size, onBytes }) {
        for (const bytes of [size / 2, size]) await onBytes(bytes);
      },
      digest: async () => sha256,
      async unpack() {},
    },
    software,
    unitFiles: { async bringUpTo() {} },
    stopSignal: new AbortController().signal,
    lockChanges: async () => ({ release() {} }),
    updateFiles: files,
  };
  return { ports, server, software, files, stopwatch };
}

export type EnvironmentOptions = { feed?: string; before?: UpdateState | null };
export type MemoryEnvironment = ReturnType<typeof makeMemoryEnvironment>;

function makeMemoryFolder(): MemoryFolder {
  let current: string | null = '1.0.0';
  let previous: string | null = null;
  const events: string[] = [];
  const versions = new Set(['0.9.0', '1.0.0']);
  let placed: string | null = null;
  return {
    path: '/opt/boxgate',
    download: '/opt/boxgate/.download',
    staging: '/opt/boxgate/.staging',
    versions,
    events,
    free: 1e12,
    current: async () => current,
    previous: async () => previous,
    async freeBytes() {
      return this.free;
    },
    async checkStaged() {},
    async place(version) {
      versions.add(version);
      placed = version;
    },
    async switchTo(version) {
      previous = current;
      current = version;
      events.push(`switch to ${version}`);
    },
    async rollBack() {
      current = previous;
      previous = null;
      events.push('roll back');
    },
    async commit() {
      previous = null;
      placed = null;
      events.push('commit');
    },
    async clear() {},
    async discard() {
      if (placed !== null && placed !== current) versions.delete(placed);
      placed = null;
    },
    async prune(kept) {
      for (const version of versions) if (!kept.includes(version)) versions.delete(version);
    },
  };
}

function makeMemoryFiles(before: UpdateState | null) {
  const written: UpdateState[] = [];
  let state = before ?? {};
  let held = false;
  const take = async () => {
    if (held) return null;
    held = true;
    return {
      release() {
        held = false;
      },
    };
  };
  return {
    written,
    isHeld: () => held,
    readState: async () => state,
    async writeState(next: UpdateState) {
      assert.ok(held, 'states are written under the lock');
      written.push(next);
      state = next;
    },
    tryLock: take,
    lock: take,
    writeRunning: async () => {},
    readRunning: async () => ({ address, version: '1.0.0', unit, pid: 1 }),
  };
}
