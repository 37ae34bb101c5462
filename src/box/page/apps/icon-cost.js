/**
 * Estimates how much a browser has to draw for an icon. Ten elements that each repeat the previous one ten times
 * would block it for minutes.
 */
import { referredIds } from './icon-values.js';

/**
 * Cost of each element and each kind of reference. The unit is the time to draw one character of markup.
 */
const costs = { element: 20, dash: 20, pattern: 4_000, mask: 400, clipPath: 100, image: 2_000 };

/**
 * The number of characters if each reference were replaced by a copy of its target; `Infinity` for a cycle.
 * @param {Element} svg reduced to plain values
 * @param {Map<Element, string[]>} bySheets the styles that style sheets give to elements
 */
export function drawingCost(svg, bySheets) {
  /** @type {Map<Element, number>} */
  const known = new Map();
  const dashLength = shortestDashes(svg.outerHTML);
  /** @type {(part: Element) => number} */
  const cost = (part) => {
    const before = known.get(part);
    if (before !== undefined) return before;
    known.set(part, Number.POSITIVE_INFINITY); // If the element refers to itself, its cost stays infinite.
    const total = ownCost(part);
    known.set(part, total);
    return total;
  };
  /** @param {Element} part */
  const ownCost = (part) => {
    const attributes = [...part.attributes];
    const styles = [...attributes.map(({ value }) => value), ...(bySheets.get(part) ?? [])];
    const texts = part.childElementCount === 0 ? [...styles, part.textContent ?? ''] : styles;
    let drawn = costs.element + texts.reduce((sum, text) => sum + text.length, 0);
    if (part.localName === 'image') drawn += costs.image;
    drawn += costs.dash * (outline(part) / dashLength);
    for (const child of part.children) drawn += cost(child);
    for (const { name, value } of attributes) {
      const copied = name.endsWith('href') ? byId(value.slice(1)) : null;
      if (copied) drawn += cost(copied);
    }
    for (const used of new Set(styles.flatMap(referredIds).map(byId)))
      if (used) drawn += referenceCost(part, used) + cost(used);
    return drawn;
  };
  /** @param {string} id */
  const byId = (id) => svg.parentNode?.querySelector(`#${CSS.escape(id)}`) ?? null;
  return cost(svg);
}

/**
 * The length of the shortest dash pattern, which any element can inherit; `Infinity` without one.
 * @param {string} markup
 */
function shortestDashes(markup) {
  const rows = [...markup.matchAll(/dasharray[:="\s]+([\d\s,.epx+-]+)/gi)];
  const lengths = rows.map(([, row = '']) => sumOfNumbers(row)).filter((length) => length > 0);
  return Math.min(...lengths, Number.POSITIVE_INFINITY);
}

const shapeAttributes = new Set('d points r rx ry width height x1 x2 y1 y2 pathLength'.split(' '));

/** A lower bound for the length of an element's outline; the outline of text is unknown. @param {Element} part */
function outline(part) {
  if (/^t(ext|span)/.test(part.localName)) return Number.MAX_VALUE;
  // An arc is the longest path that one number can describe.
  const shape = [...part.attributes].filter(({ name }) => shapeAttributes.has(name));
  return 7 * shape.reduce((sum, { value }) => sum + sumOfNumbers(value), 0);
}

/** @param {string} text */
function sumOfNumbers(text) {
  return (text.match(/(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?/gi) ?? []).reduce((sum, number) => sum + Number(number), 0);
}

/**
 * Cost of a reference in `part`, without the cost of its target. Patterns are inherited, so the pattern of a group or
 * `use` counts for each element below it.
 * @param {Element} part
 * @param {Element} used
 */
function referenceCost(part, used) {
  if (used.localName === 'mask') return costs.mask;
  if (used.localName === 'clipPath') return costs.clipPath;
  if (used.localName !== 'pattern') return 0;
  return part.childElementCount === 0 && part.localName !== 'use' ? costs.pattern : Number.POSITIVE_INFINITY;
}
