import { isObject } from '../kernel/expect.ts';

/**
 * All texts in a JSON value in their order, each with the key of the object around it. The stack limits no depth,
 * because checks send bodies that nest very deeply.
 */
export function namedTexts(value: unknown): [key: string, text: string][] {
  const texts: [key: string, text: string][] = [];
  const left: [key: string, value: unknown][] = [['', value]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [key, one] = next;
    if (typeof one === 'string') texts.push([key, one]);
    else for (const inner of partsOf(key, one).toReversed()) left.push(inner);
  }
  return texts;
}

function partsOf(key: string, value: unknown): [key: string, value: unknown][] {
  if (Array.isArray(value)) return value.map((one) => [key, one]);
  return isObject(value) ? Object.entries(value) : [];
}
