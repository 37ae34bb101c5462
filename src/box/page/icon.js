/**
 * An app's icon. The API's rules let markup through that could load, run or restyle (foreign content, styles, what
 * follows the end tag), so icon_svg never becomes part of this page: it is read in a document that is never shown,
 * stripped to what draws, written out again and shown as an image from a data address. Browsers run and load nothing
 * inside such an image, and its ids and styles are its own.
 * box/page/10
 */

/** The one place where text is parsed as markup; what comes out of it is only ever walked and written out again. */
const iconParser = /** @type {any} */ (globalThis).trustedTypes?.createPolicy('boxgate-icon', {
  createHTML: (/** @type {string} */ text) => text,
});

const svgNamespace = 'http://www.w3.org/2000/svg';

const drawingElements = new Set(
  `svg g defs symbol use title desc style path rect circle ellipse line polyline polygon text tspan textPath
  linearGradient radialGradient stop pattern clipPath mask marker image switch view
  filter feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap
  feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology
  feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence`.split(/\s+/),
);

/** More than an icon of 16 KiB draws unless its elements repeat one another over and over. */
const mostDrawnElements = 20_000;

/**
 * The icon as an image, or the generic folder where there is none that can be shown.
 * @param {string | null} iconSvg
 * @returns {Element}
 */
export function iconImage(iconSvg) {
  const svg = iconSvg ? parseIcon(iconSvg) : null;
  if (!svg) return folderIcon();
  keepWhatDraws(svg);
  if (drawnElements(svg) > mostDrawnElements) return folderIcon();
  const image = document.createElement('img');
  image.alt = '';
  image.addEventListener('error', () => image.replaceWith(folderIcon()), { once: true });
  image.src = `data:image/svg+xml,${encodeURIComponent(standAlone(svg).toWellFormed())}`;
  return image;
}

/** Style attributes are called something else while this page has them: its policy would report each of them. */
const styleAttribute = /\sstyle(\s*=)/gi;

/**
 * @param {string} text
 * @returns {Element | null}
 */
function parseIcon(text) {
  // The HTML parser is the forgiving one: it needs no namespaces and stops an icon at its end tag. What a template
  // holds belongs to no page: nothing in it runs, loads or is styled.
  const template = document.createElement('template');
  const markup = text.replaceAll(styleAttribute, ' data-style$1');
  template.innerHTML = iconParser ? iconParser.createHTML(markup) : markup;
  const first = template.content.firstElementChild;
  return first?.namespaceURI === svgNamespace && first.localName === 'svg' ? first : null;
}

/** @param {Element} svg */
function keepWhatDraws(svg) {
  for (const part of [svg, ...svg.querySelectorAll('*')]) {
    if (part.namespaceURI !== svgNamespace || !drawingElements.has(part.localName)) part.remove();
    else
      for (const attribute of [...part.attributes])
        if (!draws(attribute)) part.removeAttributeNode(attribute);
  }
}

/** @param {Attr} attribute */
function draws({ name, value }) {
  if (name === 'href' || name === 'xlink:href')
    return /^(#|data:image\/(png|jpeg|gif|webp)[;,])/i.test(value.trim());
  if (name === 'xmlns' || name === 'xmlns:xlink' || name === 'xml:space') return true;
  return /^[a-z][\w.-]*$/i.test(name) && !/^on/i.test(name);
}

/**
 * How many elements it takes to draw the icon when each reference counts as a copy: ten elements that each repeat the
 * one before ten times would keep a browser busy for ever.
 * @param {Element} svg
 */
function drawnElements(svg) {
  /** @type {Map<Element, number>} */
  const known = new Map();
  /** @type {(part: Element) => number} */
  const count = (part) => {
    const before = known.get(part);
    if (before !== undefined) return before;
    known.set(part, 0); // A circle of references draws nothing.
    const referred = referredIds(part).map((id) => svg.querySelector(`#${CSS.escape(id)}`));
    const total = [...part.children, ...referred].reduce((sum, other) => sum + (other ? count(other) : 0), 1);
    known.set(part, total);
    return total;
  };
  return count(svg);
}

/** @param {Element} part */
function referredIds(part) {
  return [...part.attributes].flatMap(({ name, value }) =>
    name.endsWith('href')
      ? [value.trim().slice(1)]
      : [...value.matchAll(/url\(\s*["']?#([^"')\s]+)/gi)].map((match) => match[1] ?? ''),
  );
}

/**
 * The icon as a document of its own, in which nothing moves.
 * @param {Element} svg
 */
function standAlone(svg) {
  const text = new XMLSerializer().serializeToString(svg);
  return text.replaceAll(' data-style="', ' style="').replace(/<\/svg>$/, `${still}</svg>`);
}

const still = '<style>*{animation:none!important;transition:none!important}</style>';

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
