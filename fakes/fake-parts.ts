import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DockerPart, SystemdPart } from './box-environment.ts';
import { makeEngine } from './docker/engine.ts';
import type { Resident } from './docker/resident/resident.ts';
import { fakeDocker } from './docker-view.ts';
import type { Unit } from './systemd/model.ts';
import { openUnitsFolder, type UnitsFolder } from './systemd/units-folder.ts';

/** What checks look at, and do to, the service manager of a world. */
export type ServiceManager = Pick<
  UnitsFolder,
  'calls' | 'hold' | 'letGo' | 'addFault' | 'faultsFired' | 'addService'
> & {
  units: () => Pick<Unit, 'name' | 'activeState' | 'environment'>[];
};

const stands = join(import.meta.dirname, '..', 'fakes', 'bin');

/** The stand-in for an engine, one of the world's own. */
export function fakeDockerPart(root: string, resident: Resident | null = null): DockerPart {
  const engine = makeEngine(root, {}, resident);
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
 * The stand-in for a service manager, one of the world's own. A launcher names it, because an implementation hands on
 * little of its environment.
 */
export function fakeSystemdPart(root: string): SystemdPart {
  const systemd = openUnitsFolder(join(root, 'systemd'));
  const node = `BOXGATE_NODE='${process.execPath}' BOXGATE_MANAGER_PATH='${join(root, 'bin')}'`;
  const launcher = (tool: string) =>
    `#!/bin/sh\n${node} BOXGATE_SYSTEMD_DIR='${systemd.folder}' exec '${join(stands, tool)}' "$@"\n`;
  return {
    systemd,
    launchers: { 'systemd-run': launcher('systemd-run'), systemctl: launcher('systemctl') },
    dispose: () => {
      // Marked first, so that none is started again.
      for (const unit of systemd.units()) systemd.change({ ...unit, activeState: 'deactivating' });
      for (const unit of systemd.units()) if (unit.mainPid > 0) end(-unit.mainPid);
    },
  };
}

/** Whether this process is a docker command of this world: one that hangs, or was cut loose. */
function isCallOf(root: string, pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(root);
  } catch {
    // It has ended.
    return false;
  }
}

/** Kills a process, or with a negative number a group. */
function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It ended by itself meanwhile, which is what was wanted.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
