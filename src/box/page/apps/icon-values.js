/**
 * Removes unsafe attributes and styles from an icon. Everything that could hide a reference (escapes, custom
 * properties, percent-encoded ids) or cost a browser minutes (filters, nested rules) is left out.
 */

export const svgNamespace = 'http://www.w3.org/2000/svg';

/** An id that reads the same in an attribute, in CSS and in a URL. */
const plainId = /^#[^\s"'()\\%<>&]+$/;

const reference = /url\(\s*(["']?)(#[^\s"'()\\%<>&]+)\1\s*\)/gi;

const knownFunctions = new Set(
  `var calc rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix
  matrix translate translatex translatey scale scalex scaley rotate skewx skewy`.split(/\s+/),
);

/** The allowed style properties; the others do not affect a still picture, or cost too much. */
const drawingProperties = new Set(
  `fill fill-opacity fill-rule stroke stroke-opacity stroke-width stroke-linecap stroke-linejoin stroke-miterlimit
  stroke-dasharray stroke-dashoffset paint-order color opacity display visibility overflow
  stop-color stop-opacity clip-path clip-rule mask-image mask-type isolation mix-blend-mode
  transform transform-origin transform-box shape-rendering color-interpolation
  font-family font-size font-style font-weight text-anchor letter-spacing dominant-baseline`.split(/\s+/),
);

/**
 * Whether a value calls known functions only. A reference that `reference` does not match counts as unknown.
 * @param {string} value
 */
function isPlainValue(value) {
  if (value.includes('\\')) return false;
  const calls = value.replaceAll(reference, '').matchAll(/(?<![\w-])([\w-]*)\(/g);
  return [...calls].every(([, name = '']) => name === '' || knownFunctions.has(name.toLowerCase()));
}

/**
 * Whether a property is allowed, as an attribute or in a style. An inherited mask or clip path would count as a
 * reference of every descendant.
 * @param {string} name
 * @param {string} value
 */
function isPlainProperty(name, value) {
  if (!isPlainValue(value)) return false;
  if (name === 'stroke-dasharray') return /^(none|[\d\s,.epx+-]*)$/i.test(value);
  return !/^(clip-path|mask)/.test(name) || name === 'mask-type' || /^(none|url\(.*\))$/i.test(value.trim());
}

/** Whether an attribute affects the drawing and cannot hide a reference. @param {Attr} attribute */
function isDrawingAttribute({ name, value }) {
  if (name === 'href' || name === 'xlink:href') return plainId.test(value) || isSmallPicture(value);
  if (name === 'xmlns' || name === 'xmlns:xlink' || name === 'xml:space') return true;
  if (!/^[a-z][\w.-]*$/i.test(name) || /^on|^style$|^filter$|^marker|^vector-effect$/i.test(name)) return false;
  return isPlainProperty(name, value);
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

/**
 * The style of an element, or of a rule: drawing properties only, as the browser itself writes them.
 * @param {CSSStyleDeclaration} style
 */
function plainStyle(style) {
  const names = [...style].filter((name) => drawingProperties.has(name));
  return names
    .map((name) => [name, style.getPropertyValue(name), style.getPropertyPriority(name)])
    .filter(([name = '', value = '']) => isPlainProperty(name, value))
    .map(([name, value, priority]) => `${name}:${value}${priority ? ' !important' : ''}`)
    .join(';');
}

/** The browser parses style attributes with this rule, which no document uses. */
function emptyRule() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('a{}');
  return /** @type {CSSStyleRule} */ (sheet.cssRules[0]);
}

/** @param {string} text */
function plainStyleAttribute(text) {
  const rule = emptyRule();
  rule.style.cssText = text;
  return plainStyle(rule.style);
}

/**
 * The rules of a style sheet that choose by element, class or id; conditions, imports, nested rules and pseudo-classes
 * are left out.
 * @param {string} text
 */
function plainRules(text) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return [...sheet.cssRules]
    .filter((rule) => rule instanceof CSSStyleRule)
    .filter(({ selectorText }) => /^[\p{L}\p{N}\s_.#,>*~+-]+$/u.test(selectorText))
    .map(({ selectorText, style }) => ({ selectorText, style: plainStyle(style) }));
}

const mostStyles = 10_000;

/**
 * Reduces every attribute and style of an icon. Style attributes are called `data-style` here.
 * @param {Element} svg
 * @returns {Map<Element, string[]> | null} the styles with references that style sheets give to elements; `null` if
 *   there are more than an icon can have
 */
export function keepPlainValues(svg) {
  /** @type {Map<Element, string[]>} */
  const bySheets = new Map();
  let count = 0;
  for (const part of [svg, ...svg.querySelectorAll('*')]) {
    for (const attribute of [...part.attributes]) {
      if (attribute.name === 'data-style') attribute.value = plainStyleAttribute(attribute.value);
      else if (!isDrawingAttribute(attribute)) part.removeAttributeNode(attribute);
    }
    if (part.namespaceURI !== svgNamespace || part.localName !== 'style') continue;
    const rules = plainRules(part.textContent ?? '');
    part.textContent = rules.map(({ selectorText, style }) => `${selectorText}{${style}}`).join('\n');
    for (const { selectorText, style } of rules) {
      if (!style.includes('url(')) continue;
      for (const chosen of svg.parentNode?.querySelectorAll(selectorText) ?? []) {
        if (++count > mostStyles) return null;
        const styles = bySheets.get(chosen);
        if (styles) styles.push(style);
        else bySheets.set(chosen, [style]);
      }
    }
  }
  return bySheets;
}

/** The ids that a text of CSS refers to. @param {string} text */
export function referredIds(text) {
  return [...text.matchAll(reference)].map(([, , id = '']) => id.slice(1));
}
