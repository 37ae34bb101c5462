import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AppFiles } from './app-files.ts';
import { makeEngine } from './docker/engine.ts';
import type { Resident } from './docker/resident/resident.ts';
import { type Docker, fakeDocker } from './docker-view.ts';
import type { Unit } from './systemd/model.ts';
import { openUnitsFolder, type UnitsFolder } from './systemd/units-folder.ts';

/** The service manager as checks inspect and change it. */
export type ServiceManager = Pick<UnitsFolder, 'calls' | 'hold' | 'release' | 'addFault' | 'faultsFired'> & {
  units: () => Pick<Unit, 'name' | 'activeState' | 'environment'>[];
};

export type DockerPart = {
  docker: Docker;
  /** The text of the `docker` launcher; `null` uses the machine's own. */
  launcher: string | null;
  /** The app's files with images that the engine can pull. */
  adapt: (app: AppFiles) => AppFiles;
  composeText: (text: string) => string;
  /** Stops and removes everything the environment made. Idempotent. */
  dispose: () => void | Promise<void>;
};

export type SystemdPart = {
  systemd: ServiceManager;
  launchers: Readonly<Record<'systemd-run' | 'systemctl', string | null>>;
  dispose: () => void | Promise<void>;
};

const executables = join(import.meta.dirname, '..', 'fakes', 'bin');

export function fakeDockerPart(root: string, resident: Resident | null = null): DockerPart {
  const engine = makeEngine(root, resident);
  const docker = fakeDocker(engine);
  return {
    docker,
    launcher: readFileSync(join(engine.bin, 'docker'), 'utf8'),
    adapt: (app) => app,
    composeText: (text) => text,
    dispose: () => {
      for (const call of engine.log()) {
        if (call.status === undefined && isCallOf(root, call.pid)) end(call.pid);
      }
    },
  };
}

/**
 * A fake service manager for one environment. The launchers contain its folder, because an implementation passes on
 * only a few environment variables.
 */
export function fakeSystemdPart(root: string): SystemdPart {
  const systemd = openUnitsFolder(join(root, 'systemd'));
  const node = `BOXGATE_NODE='${process.execPath}' BOXGATE_MANAGER_PATH='${join(root, 'bin')}'`;
  const launcher = (tool: string) =>
    `#!/bin/sh\n${node} BOXGATE_SYSTEMD_DIR='${systemd.folder}' exec '${join(executables, tool)}' "$@"\n`;
  return {
    systemd,
    launchers: { 'systemd-run': launcher('systemd-run'), systemctl: launcher('systemctl') },
    dispose: () => {
      // Marked first, so that no unit is restarted.
      for (const unit of systemd.units()) systemd.change({ ...unit, activeState: 'deactivating' });
      for (const unit of systemd.units()) if (unit.mainPid > 0) end(-unit.mainPid);
    },
  };
}

/** Whether the process is a hanging docker call of this environment. */
function isCallOf(root: string, pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(root);
  } catch {
    // The process has ended.
    return false;
  }
}

/** Kills a process, or a process group if `pid` is negative. */
function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It has ended already.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
