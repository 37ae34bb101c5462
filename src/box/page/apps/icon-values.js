/**
 * Reduces an icon to plain values: no escapes, no variables, no filters, no rules with conditions. Everything that could
 * hide a reference or cost a browser minutes is left out.
 */

/** An id that reads the same in an attribute, in CSS and in a URL. */
const plainId = /^#[^\s"'()\\%<>&]+$/;

const reference = /url\(\s*(["']?)(#[^\s"'()\\%<>&]+)\1\s*\)/gi;

const knownCall =
  /\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|matrix|translate[xy]?|scale[xy]?|rotate|skew[xy])\([^()]*\)/gi;

/** The allowed style properties; the others do not affect a still picture, or cost too much. */
const drawingProperties = new Set(
  `fill fill-opacity fill-rule stroke stroke-opacity stroke-width stroke-linecap stroke-linejoin stroke-miterlimit
  paint-order color opacity display visibility overflow
  stop-color stop-opacity clip-path clip-rule mask mask-type isolation mix-blend-mode
  transform transform-origin transform-box shape-rendering color-interpolation
  font-family font-size font-style font-weight text-anchor letter-spacing dominant-baseline`.split(/\s+/),
);

/**
 * Whether a value calls known functions only. An inherited mask or clip path would count as a reference of every
 * descendant.
 * @param {string} name
 * @param {string} value
 */
function isPlain(name, value) {
  const rest = value.replaceAll(reference, '');
  if (/^(clip-path|mask)$/.test(name)) return /^\s*(none\s*)?$/i.test(rest);
  return !/[\\()]/.test(rest.replaceAll(knownCall, ''));
}

/** @param {string} text */
export function plainStyle(text) {
  const declarations = text.replaceAll(/\/\*.*?\*\//gs, ' ').split(';');
  return declarations
    .map((one) => one.split(':').map((part) => part.trim()))
    .filter(([name = '', value = '', ...more]) => {
      return more.length === 0 && drawingProperties.has(name.toLowerCase()) && isPlain(name.toLowerCase(), value);
    })
    .map((parts) => parts.join(':'))
    .join(';');
}

/** The rules of a style sheet that choose by one element, class or id, with their plain styles. @param {string} text */
export function plainRules(text) {
  /** @type {{ selectors: string, style: string }[]} */
  const rules = [];
  let depth = 0;
  for (const block of text.replaceAll(/\/\*.*?\*\//gs, ' ').split('}')) {
    const [before = '', style = '', ...nested] = block.split('{');
    const isRule = depth === 0 && nested.length === 0 && block.includes('{');
    if (isRule) rules.push({ selectors: (before.split(';').at(-1) ?? '').trim(), style: plainStyle(style) });
    depth = Math.max(0, depth + block.split('{').length - 2);
  }
  return rules.filter(({ selectors }) =>
    selectors.split(',').every((one) => /^\s*(?:[.#]?-?[\p{L}_][\p{L}\p{N}_-]*|\*)\s*$/u.test(one)),
  );
}

/** Whether an attribute affects the drawing and cannot hide a reference. @param {Attr} attribute */
export function isDrawingAttribute({ name, value }) {
  if (name === 'href' || name === 'xlink:href') return plainId.test(value) || isSmallPicture(value);
  if (name === 'xmlns' || name === 'xmlns:xlink' || name === 'xml:space') return true;
  if (!/^[a-z][\w.-]*$/i.test(name) || /^(on.*|style|filter|marker.*|vector-effect|stroke-dash.*)$/i.test(name))
    return false;
  return isPlain(name, value);
}

const mostPixels = 1024 * 1024;

/**
 * Whether a PNG's header declares few pixels: a PNG of a few KiB can need gigabytes of memory. @param {string}
 * address
 */
function isSmallPicture(address) {
  const [, base64] = /^data:image\/png;base64,([a-z\d+/]{32})/i.exec(address) ?? [];
  if (base64 === undefined) return false;
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const header = new DataView(bytes.buffer);
  return header.getUint32(0) === 0x89504e47 && header.getUint32(16) * header.getUint32(20) <= mostPixels;
}

/** The ids that the attributes of an element refer to. @param {Element} part */
export function referredIds(part) {
  return [...part.attributes].flatMap(({ name, value }) =>
    name.endsWith('href') ? [value.slice(1)] : [...value.matchAll(reference)].map(([, , id = '']) => id.slice(1)),
  );
}
