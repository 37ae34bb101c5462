/**
 * An app's icon. The API's rules let markup through that could load, run or restyle (foreign content, styles, what
 * follows the end tag), so icon_svg never becomes part of this page: it is read in a document that is never shown,
 * reduced to drawing elements, serialized again and shown as an image from a data address. Browsers run and load
 * nothing inside such an image, and its ids and styles are its own.
 * box/page/10
 */
import { element } from '../dom.js';
import { isDrawingAttribute, plainRules, plainStyle, referredIds } from './icon-values.js';

const svgNamespace = 'http://www.w3.org/2000/svg';

/** The only place where text is parsed as markup. The result is only walked and serialized again. */
const iconParser = /** @type {any} */ (globalThis).trustedTypes?.createPolicy('boxgate-icon', {
  createHTML: (/** @type {string} */ text) => text,
});

const drawingElements = new Set(
  `svg g defs symbol use title desc path rect circle ellipse line polyline polygon text tspan textPath
  linearGradient radialGradient stop pattern clipPath mask image switch view`.split(/\s+/),
);

/** Far above the length of any icon of 16 KiB without nested repetitions. */
const mostLength = 400_000;

/**
 * The icon as an image, or the generic folder if the app has no valid icon.
 * @param {string | null} iconSvg
 * @param {string} [iconUrl] the address of an icon that is no SVG file
 * @returns {Element}
 */
export function iconImage(iconSvg, iconUrl) {
  try {
    return drawnIcon(iconSvg) ?? (iconUrl ? imageAt(iconUrl) : folderIcon());
  } catch {
    return folderIcon(); // An icon that this code fails on must not hide the list of apps.
  }
}

/** @param {string | null} iconSvg */
function drawnIcon(iconSvg) {
  const svg = iconSvg ? parseIcon(iconSvg) : null;
  if (!svg) return null;
  keepDrawing(svg);
  if (!(copiedLength(svg) <= mostLength)) return null;
  const standAlone = new XMLSerializer().serializeToString(svg).replaceAll(' data-style="', ' style="');
  return imageAt(`data:image/svg+xml,${encodeURIComponent(standAlone)}`);
}

/** @param {string} address */
function imageAt(address) {
  const image = element('img', { alt: '', loading: 'lazy', decoding: 'async', src: address });
  image.addEventListener('error', () => image.replaceWith(folderIcon()), { once: true });
  image.addEventListener('load', () => image.classList.add(lookOf(image)), { once: true });
  return image;
}

/** Style attributes are renamed, because the page's security policy would report each of them. */
const styleAttribute = /([\s/"'])style(\s*=)/gi;

/** @param {string} text @returns {Element | null} */
function parseIcon(text) {
  // The HTML parser needs no namespaces and ends an icon at its end tag. A template's content is inert: no script
  // runs, nothing loads, no style applies.
  const template = document.createElement('template');
  const markup = text.toWellFormed().replaceAll(styleAttribute, '$1data-style$2');
  template.innerHTML = iconParser ? iconParser.createHTML(markup) : markup;
  const first = template.content.firstElementChild;
  return first?.namespaceURI === svgNamespace && first.localName === 'svg' ? first : null;
}

/**
 * Leaves the elements and values that draw a still picture. The rules of style sheets become style attributes, which are
 * called `data-style` here.
 * @param {Element} svg
 */
function keepDrawing(svg) {
  const sheets = [...svg.querySelectorAll('style')].map(({ textContent }) => textContent ?? '').join('\n');
  for (const part of svg.querySelectorAll('*'))
    if (part.namespaceURI !== svgNamespace || !drawingElements.has(part.localName)) part.remove();
  const parts = [svg, ...svg.querySelectorAll('*')];
  const own = parts.map((part) => part.getAttribute('data-style') ?? '');
  for (const part of parts) {
    for (const attribute of [...part.attributes])
      if (!isDrawingAttribute(attribute) || attribute.name === 'data-style') part.removeAttributeNode(attribute);
  }
  let count = 0;
  for (const { selectors, style } of plainRules(sheets)) {
    for (const part of parts.filter((one) => one.matches(selectors))) {
      if (++count > mostStyles) throw new Error('more styles than an icon has');
      addStyle(part, style);
    }
  }
  for (const [index, part] of parts.entries()) addStyle(part, plainStyle(own[index] ?? ''));
}

/** @param {Element} part @param {string} style */
function addStyle(part, style) {
  const before = part.getAttribute('data-style') ?? '';
  if (style !== '') part.setAttribute('data-style', before === '' ? style : `${before};${style}`);
}

const mostStyles = 10_000;

/** Costs beside the markup itself, as the number of characters of markup that take as long to draw. */
const costs = { element: 20, reference: 400, image: 2_000, pattern: 4_000 };

/**
 * The length of an icon's markup if each reference were replaced by a copy of its target; `Infinity` for a circle. Ten
 * elements that each repeat the previous one ten times would block a browser for minutes.
 * @param {Element} svg
 */
function copiedLength(svg) {
  /** @type {Map<Element, number>} */
  const known = new Map();
  /** @type {(part: Element) => number} */
  const lengthOf = (part) => {
    const before = known.get(part);
    if (before !== undefined) return before;
    known.set(part, Number.POSITIVE_INFINITY); // If the element refers to itself, its length stays infinite.
    let length = costs.element + (part.localName === 'image' ? costs.image : 0);
    for (const { value } of part.attributes) length += value.length;
    if (part.localName === 'text') length += part.textContent?.length ?? 0;
    for (const child of part.children) length += lengthOf(child);
    for (const id of new Set(referredIds(part)))
      length += referenceLength(part, svg.parentNode?.querySelector(`#${CSS.escape(id)}`));
    known.set(part, length);
    return length;
  };
  /** @param {Element} part @param {Element | null | undefined} used */
  const referenceLength = (part, used) => {
    if (!used || /Gradient$/.test(used.localName)) return 0;
    if (used.localName !== 'pattern') return lengthOf(used) + costs.reference;
    // Patterns are inherited, so the pattern of a group or `use` counts for each element below it.
    const isLeaf = part.childElementCount === 0 && part.localName !== 'use';
    return isLeaf ? lengthOf(used) + costs.pattern : Number.POSITIVE_INFINITY;
  };
  return lengthOf(svg);
}

/** As in base.css. */
const lightGround = luminance(0xe9, 0xed, 0xf3);
const looksAt = 24;

/**
 * What a picture needs: all the room if it is opaque up to its corners, or a dark ground if most of it would be lost on
 * the light one, as white shapes are.
 * @param {HTMLImageElement} image
 */
function lookOf(image) {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = looksAt;
  const context = canvas.getContext('2d');
  if (!context) return 'light';
  context.drawImage(image, 0, 0, looksAt, looksAt);
  let [lost, seen, leastAlpha] = [0, 0, 255];
  const { data } = context.getImageData(0, 0, looksAt, looksAt);
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(at, at + 4);
    const light = luminance(red, green, blue);
    const contrast = (Math.max(light, lightGround) + 0.05) / (Math.min(light, lightGround) + 0.05);
    leastAlpha = Math.min(leastAlpha, alpha);
    if (contrast < 1.6) lost += alpha;
    else seen += alpha;
  }
  if (leastAlpha > 250) return 'full';
  return lost > 2 * seen ? 'pale' : 'light';
}

/** @param {...number} channels red, green and blue */
function luminance(...channels) {
  const [red = 0, green = 0, blue = 0] = channels.map((one) => (one / 255) ** 2.2);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function folderIcon() {
  const svg = document.createElementNS(svgNamespace, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('class', 'folder');
  const path = document.createElementNS(svgNamespace, 'path');
  path.setAttribute(
    'd',
    'M3 6.5A1.5 1.5 0 0 1 4.5 5H9l2 2.5h8.5A1.5 1.5 0 0 1 21 9v8.5a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 17.5z',
  );
  svg.append(path);
  return svg;
}
