import { software, startService, stopServices } from './box.ts';
import { machine } from './machine.ts';
import { stateDir } from './state.ts';

export type Disks = 'software' | 'state' | 'both';

const at = '/run/small-disk';
const mebibytes = 1024 * 1024;

/** A small file system in memory that holds the software, the state, or both of a box. */
export class SmallDisk {
  readonly #folders: string[];

  private constructor(holds: Disks) {
    this.#folders = [...(holds === 'state' ? [] : [software]), ...(holds === 'software' ? [] : [stateDir])];
  }

  /** Moves the folders of a running box to the small disk, and restarts the box. */
  static async mount(holds: Disks): Promise<SmallDisk> {
    const disk = new SmallDisk(holds);
    await stopServices();
    const steps = disk.#folders.map((folder, i) => {
      const inside = `${at}/${i}`;
      return `cp -a ${folder} ${inside}; mount --bind ${inside} ${folder}`;
    });
    await disk.#shell(`mkdir -p ${at}; mount -t tmpfs -o mode=755 tmpfs ${at}; ${steps.join('; ')}`);
    await disk.leave(300 * mebibytes);
    await startService();
    return disk;
  }

  async unmount(): Promise<void> {
    await stopServices();
    for (const folder of this.#folders) await this.#shell(`umount ${folder}`);
    await this.#shell(`umount ${at}`);
  }

  /** Leaves `bytes` free on the disk by resizing a filler file. */
  async leave(bytes: number): Promise<void> {
    // The kernel refuses the new size if a program wrote meanwhile, so this is repeated.
    const set = `mount -o remount,size=$(($(df -B1 --output=used ${at} | tail -1) + ${bytes})) ${at}`;
    await this.#shell(`for try in 1 2 3 4 5 6 7 8 9; do ${set} && exit 0; done; exit 1`);
  }

  #shell(script: string): Promise<string> {
    return machine.mustRun(['sh', '-euc', script]);
  }
}
