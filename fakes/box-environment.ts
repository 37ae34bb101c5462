import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type AppFiles, writeApp } from './app-files.ts';
import type { Docker } from './docker-view.ts';
import { environmentsFolder } from './environments-folder.ts';
import { fakeDockerPart, fakeSystemdPart, type ServiceManager } from './fake-parts.ts';
import { makeReleaseFeed, type ReleaseFeed } from './release-feed.ts';

/**
 * What one box stands in: folders of its own, a `PATH` of programs before the machine's, and a release feed. Behind the
 * programs are stand-ins with an engine and a service manager of the world's own, unless it is given other parts. Two
 * worlds share nothing; removing one leaves nothing behind.
 */
export type BoxEnvironment = {
  root: string;
  bundledApps: string;
  installedApps: string;
  stateDir: string;
  softwareDir: string;
  home: string;
  /** The folder of launchers that stands first on `PATH`. */
  bin: string;
  docker: Docker;
  systemd: ServiceManager;
  feed: ReleaseFeed;
  /** What an implementation is started with: `BOX_*`, `PATH`, `HOME`. */
  env: () => Record<string, string>;
  /** Puts an app into the bundled-apps directory; its folder. */
  bundle: (app: AppFiles) => string;
  /** Puts an app into the directory of the owner's own apps; its folder. */
  placeOwn: (app: AppFiles) => string;
  /** Puts an app into the installed-apps directory, as if it had been installed; its folder. */
  placeInstalled: (app: AppFiles) => string;
  /** A Compose file's text with names of images that this world's engine can pull. */
  composeText: (text: string) => string;
  /** Takes a tool off this world's `PATH`, or puts it back. */
  setTool: (name: Tool, present: boolean) => void;
  dispose: () => void | Promise<void>;
};

export type Tool = 'docker' | 'systemd-run' | 'systemctl';

/** The container tool of a world. */
export type DockerPart = {
  docker: Docker;
  /** What stands as `docker` on `PATH`; null leaves the machine's own. */
  launcher: string | null;
  /** An app's files as the engine can use them. */
  adapt: (app: AppFiles) => AppFiles;
  composeText: (text: string) => string;
  /** Ends and takes away what the world made; can be called twice. */
  dispose: () => void | Promise<void>;
};

/** The service manager of a world. */
export type SystemdPart = {
  systemd: ServiceManager;
  launchers: Readonly<Record<'systemd-run' | 'systemctl', string | null>>;
  dispose: () => void | Promise<void>;
};

export type BoxParts = { docker: DockerPart; systemd: SystemdPart };

/** A world of stand-ins. */
export function makeBoxEnvironment(): BoxEnvironment {
  const root = makeEnvironmentFolder();
  return boxEnvironmentIn(root, { docker: fakeDockerPart(root), systemd: fakeSystemdPart(root) });
}

/** An empty folder for a world. */
export function makeEnvironmentFolder(parent = environmentsFolder()): string {
  const root = mkdtempSync(join(parent, 'boxgate-world-'));
  chmodSync(root, 0o755);
  return root;
}

/** A world in an empty folder; what stands behind its programs is given. */
export function boxEnvironmentIn(root: string, parts: BoxParts): BoxEnvironment {
  const { docker, systemd } = parts;
  const place = (name: string) => join(root, name);
  const folders = {
    bundledApps: place('bundled'),
    installedApps: place('installed'),
    home: place('home'),
    bin: place('bin'),
    stateDir: place('state'),
  };
  for (const folder of Object.values(folders)) {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o755);
  }
  const launchers = { docker: docker.launcher, ...systemd.launchers };
  const world: BoxEnvironment = {
    root,
    ...folders,
    softwareDir: place('software'),
    docker: docker.docker,
    systemd: systemd.systemd,
    feed: makeReleaseFeed(place('feed')),
    env: () => environmentOf(world),
    bundle: (app) => writeApp(world.bundledApps, docker.adapt(app)),
    placeOwn: (app) => writeApp(join(world.stateDir, 'catalogue'), docker.adapt(app)),
    placeInstalled: (app) => writeApp(world.installedApps, docker.adapt(app)),
    composeText: docker.composeText,
    setTool: (name, present) =>
      writeLauncher(join(world.bin, name), name, present ? launchers[name] : absent),
    dispose: () => dispose(root, parts),
  };
  for (const name of ['docker', 'systemd-run', 'systemctl'] as const) world.setTool(name, true);
  return world;
}

/** A tool that is absent is one that cannot be run: the machine's own must not take its place. */
const absent = Symbol('absent');

function writeLauncher(file: string, tool: Tool, text: string | null | typeof absent): void {
  if (text === null) rmSync(file, { force: true });
  else if (text !== absent) writeFileSync(file, text, { mode: 0o755 });
  else writeFileSync(file, `#!/bin/sh\necho "${tool}: command not found" >&2\nexit 127\n`, { mode: 0o755 });
}

function environmentOf(world: BoxEnvironment): Record<string, string> {
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

/** Stand-ins are gone when this returns. */
function dispose(root: string, { docker, systemd }: BoxParts): void | Promise<void> {
  const remove = () => rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
  if (!existsSync(root)) return;
  const going = [systemd.dispose(), docker.dispose()].filter((one) => one instanceof Promise);
  if (going.length === 0) return remove();
  return Promise.all(going).then(remove);
}
