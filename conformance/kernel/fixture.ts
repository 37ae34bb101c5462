/** What read-only checks find in the world that they share. */
export type Fixture<World> = { name: string; prepare: (world: World) => void | Promise<void> };
