import type { components } from './api/api.gen.ts';
import type { Container } from './engine/rules/container.ts';
import type { Manifest } from './rules/manifest/manifest.ts';

/** The place of an app's directory: among the installed apps, or among those that can be installed. */
export type Place = 'installed' | 'bundled';

export type KnownApp = {
  name: string;
  path: string;
  /** The app of the catalogue that it came from: its own name, unless it was made beside another app. */
  origin: string;
  /** `null` if the app is broken; `entry` has the reason. */
  manifest: Manifest | null;
  entry: InstalledApp | BrokenApp;
};

/**
 * Caches the apps of both places: only changed files are read again. A file that changed a moment ago is always read
 * again, because a second change could leave the same stamp.
 */
export type Catalogue = {
  /** Sorted by name. The same array as before while nothing changed. */
  all(place: Place): readonly KnownApp[];
  one(place: Place, name: string): KnownApp | null;
  /**
   * The app of this name that a store offers, also if an earlier place hides it; without a store, the app that no store
   * offers. `null` if there is no such app.
   */
  from(store: string | undefined, name: string): KnownApp | null;
};

type Entry<Schema> = Omit<
  Schema,
  'available_version' | 'operation' | 'public_urls' | 'open_urls' | 'backup_problem' | keyof ShownState
>;
type InstalledApp = Entry<components['schemas']['InstalledApp']>;
type BrokenApp = Entry<components['schemas']['BrokenApp']>;

/** The fields of an installed app's entry that show the state of its containers. */
export type ShownState = Pick<
  components['schemas']['BrokenApp'],
  'state' | 'state_detail' | 'stopped_at' | 'published' | 'open_ports'
>;

export type AppOperation = components['schemas']['AppOperation'];

/** The engine's latest answer: its containers, or why it did not answer. */
export type LatestPicture = { containers: readonly Container[] } | { failure: string };

/**
 * The state of each app in the latest picture. Reading it never asks the engine.
 * choice/box/265
 */
export type AppStates = {
  /** By name. The same map as before while nothing changed. */
  of(apps: readonly KnownApp[]): ReadonlyMap<string, ShownState>;
  /** Where ports of an app are that have one address of the machine only. As `of` has looked last. */
  boundPorts(app: string): ReadonlyMap<number, string>;
  /** Makes the next reader wait for a picture. */
  expectPicture(): void;
  /** Waits for the expected picture, for at most a second; at once if none is expected. */
  firstPicture(): Promise<void>;
  update(picture: LatestPicture): void;
  /** Files may have changed: the next reader reads them again. */
  refresh(): void;
};
