import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type AppFiles, writeApp } from './app-files.ts';
import { makeEngine } from './docker/engine.ts';
import { type Docker, fakeDocker } from './docker-view.ts';
import { makeReleaseFeed, type ReleaseFeed } from './release-feed.ts';
import { openUnitsFolder, type UnitsFolder } from './systemd/units-folder.ts';

/**
 * What one box stands in: folders of its own, a `PATH` of stand-ins with an engine and a service manager of
 * their own, and a release feed. Two worlds share nothing; removing one leaves nothing behind.
 */
export type World = {
  root: string;
  bundledApps: string;
  installedApps: string;
  stateDir: string;
  softwareDir: string;
  home: string;
  /** The folder of launchers that stands first on `PATH`. */
  bin: string;
  docker: Docker;
  systemd: UnitsFolder;
  feed: ReleaseFeed;
  /** What an implementation is started with: `BOX_*`, `PATH`, `HOME`. */
  environment: () => Record<string, string>;
  /** Puts an app into the bundled-apps directory; its folder. */
  bundle: (app: AppFiles) => string;
  /** Puts an app into the installed-apps directory, as if it had been installed; its folder. */
  placeInstalled: (app: AppFiles) => string;
  /** Takes a tool off this world's `PATH`, or puts it back. */
  setTool: (name: Tool, present: boolean) => void;
  dispose: () => void;
};

export type Tool = 'docker' | 'systemd-run' | 'systemctl';
const stands = join(import.meta.dirname, '..', 'fakes', 'bin');

export function makeWorld(parent = tmpdir()): World {
  const root = mkdtempSync(join(parent, 'boxgate-world-'));
  chmodSync(root, 0o755);
  const place = (name: string) => join(root, name);
  const folders = { bundledApps: place('bundled'), installedApps: place('installed'), home: place('home') };
  for (const folder of [...Object.values(folders), place('bin')]) mkdirSync(folder);
  const world: World = {
    root,
    ...folders,
    stateDir: place('state'),
    softwareDir: place('software'),
    bin: place('bin'),
    docker: fakeDocker(makeEngine(root)),
    systemd: openUnitsFolder(place('systemd')),
    feed: makeReleaseFeed(place('feed')),
    environment: () => environmentOf(world),
    bundle: (app) => writeApp(world.bundledApps, app),
    placeInstalled: (app) => writeApp(world.installedApps, app),
    setTool: (name, present) => writeLauncher(world, name, present),
    dispose: () => dispose(world),
  };
  writeLauncher(world, 'systemd-run', true);
  writeLauncher(world, 'systemctl', true);
  return world;
}

/**
 * A launcher names the world's own engine and service manager, because an implementation hands on little of
 * its environment. A tool that is absent is one that cannot be run: the machine's own must not take its place.
 */
function writeLauncher(world: World, tool: Tool, present: boolean) {
  const file = join(world.bin, tool);
  if (!present)
    writeFileSync(file, `#!/bin/sh\necho "${tool}: command not found" >&2\nexit 127\n`, { mode: 0o755 });
  else if (tool === 'docker') makeEngine(world.root);
  else {
    const node = `BOXGATE_NODE='${process.execPath}' BOXGATE_MANAGER_PATH='${world.bin}'`;
    const start = `${node} BOXGATE_SYSTEMD_DIR='${world.systemd.folder}' exec '${join(stands, tool)}' "$@"`;
    writeFileSync(file, `#!/bin/sh\n${start}\n`, { mode: 0o755 });
  }
}

function environmentOf(world: World): Record<string, string> {
  return {
    BOX_HOST: '127.0.0.1',
    BOX_BUNDLED_APPS: world.bundledApps,
    BOX_INSTALLED_APPS: world.installedApps,
    BOX_STATE_DIR: world.stateDir,
    BOX_SOFTWARE_DIR: world.softwareDir,
    BOX_RELEASE_FEED: world.feed.url,
    BOX_RELEASE_KEY: world.feed.keyFile,
    HOME: world.home,
    PATH: [world.bin, process.env.PATH ?? ''].join(delimiter),
  };
}

function dispose(world: World) {
  if (!existsSync(world.root)) return;
  for (const unit of world.systemd.units()) {
    if (unit.mainPid > 0) end(-unit.mainPid);
  }
  for (const call of world.docker.calls()) {
    if (call.status === undefined && isCallOf(world, call.pid)) end(call.pid);
  }
  rmSync(world.root, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
}

/** Whether this process is a docker command of this world: one that hangs, or was cut loose. */
function isCallOf(world: World, pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(world.root);
  } catch {
    // It has ended.
    return false;
  }
}

/** Kills a process, or with a negative number a group. */
function end(pid: number) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It ended by itself meanwhile, which is what was wanted.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
