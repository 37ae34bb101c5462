/**
 * An app's icon. The API's rules let markup through that could load, run or restyle (foreign content, styles, what
 * follows the end tag), so icon_svg never becomes part of this page: it is read in a document that is never shown,
 * reduced to drawing elements, serialized again and shown as an image from a data address. Browsers run and load
 * nothing inside such an image, and its ids and styles are its own.
 * box/page/10
 */
import { drawingCost } from './icon-cost.js';
import { keepPlainValues, svgNamespace } from './icon-values.js';

/** The only place where text is parsed as markup. The result is only walked and serialized again. */
const iconParser = /** @type {any} */ (globalThis).trustedTypes?.createPolicy('boxgate-icon', {
  createHTML: (/** @type {string} */ text) => text,
});

const drawingElements = new Set(
  `svg g defs symbol use title desc style path rect circle ellipse line polyline polygon text tspan textPath
  linearGradient radialGradient stop pattern clipPath mask image switch view`.split(/\s+/),
);

/** Far above the cost of any 16 KiB icon without nested repetitions. */
const mostCost = 400_000;

/**
 * The icon as an image, or the generic folder if the app has no valid icon.
 * @param {string | null} iconSvg
 * @returns {Element}
 */
export function iconImage(iconSvg) {
  try {
    return drawnIcon(iconSvg) ?? folderIcon();
  } catch {
    return folderIcon(); // An icon that this code fails on must not hide the list of apps.
  }
}

/** @param {string | null} iconSvg */
function drawnIcon(iconSvg) {
  const svg = iconSvg ? parseIcon(iconSvg) : null;
  if (!svg) return null;
  keepDrawingElements(svg);
  const bySheets = keepPlainValues(svg);
  if (!bySheets || !(drawingCost(svg, bySheets) <= mostCost)) return null;
  const image = document.createElement('img');
  image.alt = '';
  image.addEventListener('error', () => image.replaceWith(folderIcon()), { once: true });
  image.src = `data:image/svg+xml,${encodeURIComponent(standAlone(svg))}`;
  return image;
}

/** Style attributes are renamed, because the page's security policy would report each of them. */
const styleAttribute = /([\s/"'])style(\s*=)/gi;

/**
 * @param {string} text
 * @returns {Element | null}
 */
function parseIcon(text) {
  // The HTML parser needs no namespaces and ends an icon at its end tag. A template's content is inert: no script
  // runs, nothing loads, no style applies.
  const template = document.createElement('template');
  const markup = text.toWellFormed().replaceAll(styleAttribute, '$1data-style$2');
  template.innerHTML = iconParser ? iconParser.createHTML(markup) : markup;
  const first = template.content.firstElementChild;
  return first?.namespaceURI === svgNamespace && first.localName === 'svg' ? first : null;
}

/** @param {Element} svg */
function keepDrawingElements(svg) {
  for (const part of svg.querySelectorAll('*'))
    if (part.namespaceURI !== svgNamespace || !drawingElements.has(part.localName)) part.remove();
}

/**
 * The icon as a document of its own.
 * @param {Element} svg
 */
function standAlone(svg) {
  return new XMLSerializer().serializeToString(svg).replaceAll(' data-style="', ' style="');
}

/** The generic icon. */
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
