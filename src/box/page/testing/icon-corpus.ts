/**
 * Icons, by kind and name, that the API's icon rules accept but that would harm a page if shown unchanged: they
 * run scripts, load files, restyle the page, or block a browser for minutes.
 */

const evil = 'http://evil.example';

/** `count` texts, one after the other. */
const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join('');
const icon = (inside: string, attributes = '') => `<svg viewBox="0 0 9 9"${attributes}>${inside}</svg>`;
const square = '<rect width="9" height="9"/>';
const loads = (inside: string) => icon(`${inside}${square}`);

/** Groups that each repeat the previous group ten times; `link` makes the reference to an id. */
const copies = (link: (id: string) => string) =>
  icon(
    `<rect id="g0" width="9" height="9"/>${times(9, (level) => `<g id="g${level + 1}">${link(`g${level}`).repeat(10)}</g>`)}`,
  );

/** Masks of five squares, each masked with the previous mask; `attribute` makes the reference. */
const masks = (attribute: (id: string) => string, style = '') =>
  icon(
    `${style}${times(20, (level) => `<mask id="m${level + 1}">${`<rect width="9" height="9" ${attribute(`m${level}`)}/>`.repeat(5)}</mask>`)}<rect width="9" height="9" mask="url(#m20)"/>`,
  );

/** Nested patterns: each one draws ten squares that are filled with the previous pattern. */
const patterns = (inside: (id: string) => string) =>
  icon(
    `${times(9, (level) => `<pattern id="p${level + 1}" width=".1" height=".1">${inside(`p${level}`)}</pattern>`)}<rect width="9" height="9" fill="url(#p9)"/>`,
  );

const filtered = (filter: string, inside: string) =>
  icon(`<filter id="f" x="-9999" y="-9999" width="99999" height="99999">${filter}</filter>${inside}`);
const filteredGroups = (filter: string) => filtered(filter, `${'<g filter="url(#f)">'.repeat(500)}${square}`);

const dashedCircle = '<circle r="4" cx="4" cy="4" stroke="red" stroke-width="8" stroke-linecap="round"';

const manyPoints = (marker: string) => `<path d="M0 0${'h1'.repeat(900)}" marker-mid="url(#${marker})"/>`;

export const corpus: Record<string, Record<string, string>> = {
  'references that are written in another way': {
    plainly: copies((id) => `<use href="#${id}"/>`),
    'as an entity': copies((id) => `<use href="#&#103;${id.slice(1)}"/>`),
    'in a circle that hides them': icon(
      `<rect id="g0" width="9" height="9"/>${times(9, (level) => `<g id="g${level + 1}"><use href="#g${level + 2}"/>${`<use href="#g${level}"/>`.repeat(10)}</g>`)}`,
    ),
  },
  'masks and paths that are written in another way': {
    plainly: masks((id) => `mask="url(#${id})"`),
    'escaped in a style': masks((id) => `style="mask:u\\72l(#${id})"`),
    'as clip paths': masks((id) => `clip-path="url(#${id})"`)
      .replaceAll('mask', 'clipPath')
      .replaceAll('clipPath=', 'clip-path='),
    'from a sheet': masks(
      (id) => `class="${id}"`,
      `<style>${times(20, (level) => `.m${level}{mask:url(#m${level})}`)}</style>`,
    ),
    'by a property of their own': masks((id) => `style="--u:url(#${id});mask:var(--u)"`),
    'by inheritance': icon(
      `${times(20, (level) => `<mask id="m${level + 1}"><g mask="url(#m${level})">${'<rect width="9" height="9" mask="inherit"/>'.repeat(5)}</g></mask>`)}<rect width="9" height="9" mask="url(#m20)"/>`,
    ),
  },
  'patterns, markers and gradients': {
    plainly: patterns((id) => `<rect width="9" height="9" fill="url(#${id})"/>`.repeat(10)),
    'by inheritance': patterns((id) => `<g fill="url(#${id})">${square.repeat(10)}</g>`),
    'by a sheet': patterns((id) => `<g class="${id}">${square.repeat(10)}</g>`).replace(
      '<pattern',
      `<style>${times(9, (level) => `.p${level}{fill:url(#p${level})}`)}</style><pattern`,
    ),
    'with huge tiles': icon(
      `<pattern id="p" width="1e6" height="1e6" patternUnits="userSpaceOnUse"><circle r="1e6"/></pattern>${'<rect width="9" height="9" fill="url(#p)"/>'.repeat(300)}`,
    ),
    'in a chain': icon(
      `<pattern id="p0" width="1" height="1">${square}</pattern>${times(250, (index) => `<pattern id="p${index + 1}" href="#p${index}"/>`)}<rect width="9" height="9" fill="url(#p250)"/>`,
    ),
    'gradients with very many stops': icon(
      `<linearGradient id="g">${'<stop/>'.repeat(1500)}</linearGradient>${'<rect width="9" height="9" fill="url(#g)"/>'.repeat(90)}`,
    ),
    'markers on very many points': icon(
      `${times(5, (level) => `<marker id="m${level + 1}">${manyPoints(`m${level}`)}</marker>`)}${manyPoints('m5')}`,
    ),
  },
  filters: {
    'a huge blur in groups': filteredGroups('<feGaussianBlur stdDeviation="99999"/>'),
    'functions in a style': icon(`<g style="filter:${'blur(99px) '.repeat(600)}">${square}</g>`),
    backdrops: icon(`<style>*{backdrop-filter:blur(99px)}</style>${'<g>'.repeat(500)}${square}`),
  },
  'styles that take long': {
    'rules in rules': icon(
      `<style>${'g,g{&,&{'.repeat(60)}fill:red${'}}'.repeat(60)}</style>${'<g>'.repeat(50)}${square}`,
    ),
    'properties that grow': icon(
      `<style>*{--a0:red red;${times(40, (level) => `--a${level + 1}:${`var(--a${level}) `.repeat(10)};`)}fill:var(--a40)}</style>${square}`,
    ),
    'relations in relations': icon(
      `<style>${':has(g:has(g + g:has(x ~ y))){fill:red}'.repeat(200)}</style>${'<g/>'.repeat(500)}`,
    ),
    'sums in sums that count': icon(
      `<rect width="9" height="9" style="opacity:${'calc('.repeat(1500)}1${')'.repeat(1500)};fill:${'color-mix(in srgb,red,'.repeat(200)}red${')'.repeat(200)}"/>`,
    ),
    movement: icon(
      `<style>@keyframes a{to{transform:rotate(9turn)}}*{animation:a .01s infinite!important}</style>${square.repeat(500)}`,
    ),
  },
  'dashes, sizes and numbers': {
    'very fine dashes': icon(`${dashedCircle} stroke-dasharray="1e-4"/>`.repeat(150)),
    'a huge view box': `<svg width="1e9" height="1e9" viewBox="0 0 1e9 1e9">${square}</svg>`,
    'a picture of huge size': icon(
      '<image width="1e9" height="1e9" href="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgABhqAAAYagCAYAAAAA"/>',
    ),
    'very many copies of a path': icon(
      `<path id="p" d="M0 0${'q9 9 -9 1'.repeat(1000)}" stroke="red" stroke-linejoin="round" stroke-width="9"/><g id="q">${'<use href="#p"/>'.repeat(90)}</g>${'<use href="#q"/>'.repeat(200)}`,
    ),
    'very many copies of a text with a part': icon(
      `<text id="t">${'Wg'.repeat(3000)}<tspan/></text>${'<use href="#t"/>'.repeat(600)}`,
    ),
    'very many letters': icon(`<text font-size="1e6" textLength="1e9">${'W'.repeat(15_000)}</text>`),
    'very many elements': icon('<g/>'.repeat(4000)),
    'sixteen KiB of depth': icon('<g>'.repeat(5400)),
    'entities in entities': `<svg><!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa">${times(9, (level) => `<!ENTITY ${'ab'[level % 2]}${level} "&a;&a;">`)}]><text>&a9;</text></svg>`,
  },
  'what loads': {
    'a drawing from elsewhere': loads(`<use href="${evil}/use.svg#a"/><use xlink:href="${evil}/xlink.svg#a"/>`),
    'an image below a base': loads(`<g xml:base="${evil}/"><image href="image"/></g><base href="${evil}">`),
    'a filter image from elsewhere': loads(
      `<filter id="f"><feImage href="${evil}/feimage"/></filter><rect filter="url(#f)" width="9" height="9"/>`,
    ),
    'a font and an import': loads(
      `<style>@import "${evil}/import.css";@font-face{font-family:f;src:url(${evil}/font)}text{font-family:f;fill:url(${evil}/paint#a)}</style><text>x</text>`,
    ),
    'an image set': loads(`<style>*{background-image:image-set("${evil}/set" 1x);content:src("${evil}/src")}</style>`),
    'a style sheet': loads(`<link rel="stylesheet" href="${evil}/link"/><?xml-stylesheet href="${evil}/pi"?>`),
    'a mask of data': loads(
      `<rect style="mask:url(&quot;data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><image href='${evil}/data'/></svg>&quot;)" width="9" height="9"/>`,
    ),
    'a frame in foreign content': loads(
      `<foreignObject width="9" height="9"><iframe src="${evil}/frame"></iframe><object data="${evil}/object"></object><embed src="${evil}/embed"></foreignObject>`,
    ),
    'a link set by animation': loads(
      `<image id="a" width="9" height="9"/><set href="#a" attributeName="href" to="${evil}/set"/>`,
    ),
    'a refresh': loads(`<meta http-equiv="refresh" content="0;url=${evil}/refresh">`),
    'what follows its end': `<svg></svg><img src="${evil}/after"><link rel="stylesheet" href="${evil}/after.css">`,
    'what breaks out of it': `<svg><p><img src="${evil}/out"></p><div id="content">Other</div></svg>`,
    'an entity from elsewhere': `<svg><!DOCTYPE svg [<!ENTITY x SYSTEM "${evil}/entity">]><text>&x;</text></svg>`,
  },
  'what restyles': {
    'a style for everything': icon('<style>*{display:none!important}body{background:red}</style>'),
    'a style that breaks out': icon('<style><!--</style><title><style></title>*{display:none}</style>'),
    'a form in foreign content': icon(
      `<foreignObject><form action="${evil}"><button>Install</button></form></foreignObject>`,
    ),
    'ids of the page': icon('<g id="content"/><g id="installed-list"/><g id="log" class="card"/>'),
  },
  'what runs': {
    'a handler set by animation': icon(
      '<set attributeName="onload" to="window.ran=1"/><animate attributeName="onbegin" values="window.ran=1"/>',
    ),
    'a page in a frame': icon(
      '<foreignObject><iframe srcdoc="&lt;scr&#105;pt&gt;parent.ran=1&lt;/scr&#105;pt&gt;"></iframe></foreignObject>',
    ),
    'a link with a tab': icon('<a href="java&#9;script&#58;window.ran=1"><rect width="9" height="9"/></a>'),
    'a handler behind markup': icon('<style><img title="</style><img src=x o&#110;error=window.ran=1>"></style>'),
    'markup of mathematics':
      '<svg><mtext><math><annotation-xml encoding="text/html"><style><img src=x></style></annotation-xml></math></mtext></svg>',
    'a template': icon(
      '<foreignObject><template shadowrootmode="open"><style>*{display:none}</style></template></foreignObject>',
    ),
  },
  'what is no SVG': {
    'names that are no names':
      '<svg a"b="1" 0="2" x:y="3" xmlns:z="q"><z:rect z:a="1"/><rect width="9" height="9"/></svg>',
    'no end': '<svg><g><rect',
    'half a character': icon('<text>\ud800</text>'),
  },
};
