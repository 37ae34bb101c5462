/**
 * What a sample showed before any check was written for what it shows: how many of it were tried and noticed, and of
 * how many of those somebody outside could tell. Later figures of the same sample say more of it than of all others.
 */
export type FirstLook = { tried: number; noticed: number; tellable: number };

/** By seed. */
export const firstLooks: ReadonlyMap<number, FirstLook> = new Map([
  [3, { tried: 100, noticed: 60, tellable: 67 }],
  [4, { tried: 100, noticed: 56, tellable: 68 }],
  [5, { tried: 100, noticed: 66, tellable: 73 }],
]);
