import type { AppsBox } from '../apps/ports.ts';
import type { KnownVersions } from './rules/known-versions.ts';

export type VersionsBox = AppsBox & { versions: VersionPorts };

export type VersionPorts = {
  /** What the box knows. Every failure is a StorageFailed. */
  known: { load(): KnownVersions; change(change: (known: KnownVersions) => KnownVersions): Promise<void> };
  /** The digest that a registry has for a tag now. Never throws. */
  askRegistry(reference: string): Promise<RegistryAnswer>;
  /** The timer that updates apps. Every failure is a StorageFailed. */
  timer: { enable(): Promise<void>; disable(): Promise<void> };
};

/** `isPinned`: there is nothing to ask, because the reference names one image for ever. */
export type RegistryAnswer = { digest: string } | { isPinned: true } | { problem: string };
