let factor = 1;

/** Makes all later time limits longer, for real parts and for checks that run again alone. */
export function setPatience(times: number): void {
  factor = times;
}

/** A time limit in milliseconds, multiplied by the patience. With more than the usual patience, it is at least `longest`. */
export const patient = (ms: number, longest = 0): number =>
  factor <= 1 ? ms * factor : Math.max(ms * factor, longest);
