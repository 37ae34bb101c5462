/** Characters of a page that tell it from other pages. */
const telling = 200;

/** Whether two bodies begin alike. The first piece of a body may be shorter than another one. */
export function isSameStart(one: string, other: string): boolean {
  const length = Math.min(one.length, other.length, telling);
  return length > 0 && one.slice(0, length) === other.slice(0, length);
}
