import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type AppFiles, writeApp } from './app-files.ts';
import type { Docker } from './docker-view.ts';
import { environmentsFolder } from './environments-folder.ts';
import {
  type DockerPart,
  fakeDockerPart,
  fakeSystemdPart,
  type ServiceManager,
  type SystemdPart,
} from './fake-parts.ts';
import { makeReleaseFeed, type ReleaseFeed } from './release-feed.ts';

/**
 * The environment of one box: folders, programs that come first on `PATH`, and a release feed. By default the programs
 * are a fake engine and a fake service manager. Environments share nothing; disposing of one removes everything it
 * made.
 */
export type BoxEnvironment = {
  root: string;
  bundledApps: string;
  installedApps: string;
  stateDir: string;
  softwareDir: string;
  home: string;
  /** The folder of launchers, first on `PATH`. */
  bin: string;
  docker: Docker;
  systemd: ServiceManager;
  feed: ReleaseFeed;
  /** The variables for an implementation: `BOX_*`, `PATH`, `HOME`. */
  env: () => Record<string, string>;
  /** Writes an app into the bundled-apps directory and returns its folder. */
  bundle: (app: AppFiles) => string;
  /** Writes an app into the owner's catalogue and returns its folder. */
  placeOwn: (app: AppFiles) => string;
  /** Writes an app into the installed-apps directory, as if it were installed, and returns its folder. */
  placeInstalled: (app: AppFiles) => string;
  /** The Compose text with image names that this environment's engine can pull. */
  composeText: (text: string) => string;
  setTool: (name: Tool, present: boolean) => void;
  dispose: (options?: DisposeOptions) => void | Promise<void>;
};

/** `keepFiles`: ends all processes and connections, but leaves the folders for a person to inspect. */
export type DisposeOptions = { keepFiles?: boolean };

export type Tool = 'docker' | 'systemd-run' | 'systemctl';

export type BoxParts = { docker: DockerPart; systemd: SystemdPart };

export function makeBoxEnvironment(): BoxEnvironment {
  const root = makeEnvironmentFolder();
  return boxEnvironmentIn(root, { docker: fakeDockerPart(root), systemd: fakeSystemdPart(root) });
}

export function makeEnvironmentFolder(parent = environmentsFolder()): string {
  const root = mkdtempSync(join(parent, 'boxgate-env-'));
  chmodSync(root, 0o755);
  return root;
}

/** An environment in an empty folder, with the given engine and service manager. */
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
    chmodSync(folder, folder === folders.installedApps ? 0o700 : 0o755);
  }
  const launchers = { docker: docker.launcher, ...systemd.launchers };
  const environment: BoxEnvironment = {
    root,
    ...folders,
    softwareDir: place('software'),
    docker: docker.docker,
    systemd: systemd.systemd,
    feed: makeReleaseFeed(place('feed')),
    env: () => envOf(environment),
    bundle: (app) => writeApp(environment.bundledApps, docker.adapt(app)),
    placeOwn: (app) => writeApp(join(environment.stateDir, 'catalogue'), docker.adapt(app)),
    placeInstalled: (app) => writeApp(environment.installedApps, docker.adapt(app)),
    composeText: docker.composeText,
    setTool: (name, present) => writeLauncher(join(environment.bin, name), name, present ? launchers[name] : absent),
    dispose: (options) => dispose(root, parts, options),
  };
  for (const name of ['docker', 'systemd-run', 'systemctl'] as const) environment.setTool(name, true);
  return environment;
}

/** An absent tool fails to run; the machine's own must not be found instead. */
const absent = Symbol('absent');

function writeLauncher(file: string, tool: Tool, text: string | null | typeof absent): void {
  if (text === null) rmSync(file, { force: true });
  else if (text !== absent) writeFileSync(file, text, { mode: 0o755 });
  else writeFileSync(file, `#!/bin/sh\necho "${tool}: command not found" >&2\nexit 127\n`, { mode: 0o755 });
}

function envOf(environment: BoxEnvironment): Record<string, string> {
  return {
    BOX_HOST: '127.0.0.1',
    BOX_BUNDLED_APPS: environment.bundledApps,
    BOX_INSTALLED_APPS: environment.installedApps,
    BOX_STATE_DIR: environment.stateDir,
    BOX_SOFTWARE_DIR: environment.softwareDir,
    BOX_RELEASE_FEED: environment.feed.url,
    BOX_RELEASE_KEY: environment.feed.keyFile,
    HOME: environment.home,
    PATH: [environment.bin, process.env.PATH ?? ''].join(delimiter),
  };
}

/** With fakes, everything is gone when this returns. */
function dispose(
  root: string,
  { docker, systemd }: BoxParts,
  { keepFiles = false }: DisposeOptions = {},
): void | Promise<void> {
  const remove = () =>
    keepFiles ? undefined : rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
  if (!existsSync(root)) return;
  const going = [systemd.dispose(), docker.dispose()].filter((one) => one instanceof Promise);
  if (going.length === 0) return remove();
  return Promise.all(going).then(remove);
}
