import type { AppsBox } from '../apps/ports.ts';
import type { DiskSpace } from './rules/disk-space.ts';
import type { EngineUsage } from './rules/engine-usage.ts';
import type { ReplacedImage } from './rules/replaced-images.ts';

export type SpaceBox = AppsBox & { space: SpacePorts };

export type SpacePorts = {
  /** The disks of Docker, the apps, the state directory and the backups, each once; without those that do not answer. */
  disks(): Promise<DiskSpace[]>;
  /** Bytes that a folder takes; `null` if they could not be counted before the signal. */
  folderBytes(path: string, signal: AbortSignal): Promise<number | null>;
  /** Asks the engine for the sizes of all images and volumes, which may take long. Throws ContainersFailed. */
  engineUsage(signal: AbortSignal): Promise<EngineUsage>;
  /** Every failure is a ContainersFailed. */
  images: {
    /** By id, of those that exist. */
    tags(ids: readonly string[]): Promise<Map<string, string[]>>;
    /** Removes an image with all its tags. The engine refuses one that a container uses. */
    remove(id: string): Promise<void>;
  };
  /** Images that updates have replaced. Every failure is a StorageFailed. */
  replaced: { load(): ReplacedImage[]; save(images: readonly ReplacedImage[]): Promise<void> };
  keepImagesDays: number;
  trash: readonly string[];
  /** The folder of the backups; `null` if they are on another machine. */
  backups(): string | null;
  /** Why a disk is nearly full, as of the latest look; `null` if none is. */
  low: { text: string | null };
};
