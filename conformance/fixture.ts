import type { World } from '../fakes/world.ts';

/** What read-only checks find in the world that they share. */
export type Fixture = { name: string; prepare: (world: World) => void | Promise<void> };
