/**
 * Between which shares the share of a whole lies, with 95 % certainty, when `hits` of a uniform sample of `size` have
 * a property (Wilson). Of a whole of `all` nothing is left to guess.
 */
export function interval(hits: number, size: number, all = Number.POSITIVE_INFINITY): [number, number] {
  if (size === 0) return [0, 1];
  const share = hits / size;
  if (size >= all) return [share, share];
  const z2 = 1.96 ** 2;
  const middle = (share + z2 / (2 * size)) / (1 + z2 / size);
  const half = Math.sqrt((share * (1 - share) + z2 / (4 * size)) * (z2 / size)) / (1 + z2 / size);
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

export const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
