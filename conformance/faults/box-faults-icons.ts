// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what stands in these texts is source.
import { type BoxFault, boxFault, inFile } from './box-fault.ts';

const catalogue = inFile('box/apps/catalogue.ts');
const icon = inFile('box/rules/manifest/icon.ts');

const readIcon = 'if (stamp === null || !stamp.isFile() || stamp.size > maxIconBytes) return null;';

/** The rules of icons. */
export const iconFaults: readonly BoxFault[] = [
  boxFault(
    'icon-for-folder',
    'shows an empty icon where the icon is a directory',
    'icon/1',
    catalogue(readIcon, `if (stamp?.isDirectory()) return '<svg/>'; ${readIcon}`),
  ),
  boxFault(
    'icon-for-absent',
    'shows an icon of its own where the file is absent',
    'icon/1',
    catalogue(readIcon, `if (stamp === null) return '<svg/>'; ${readIcon}`),
  ),
  boxFault(
    'icon-a-byte-more',
    'shows icons of 16385 bytes',
    'icon/2 limits/1',
    icon('export const maxIconBytes = 16384;', 'export const maxIconBytes = 16385;'),
  ),
  boxFault(
    'icon-a-byte-less',
    'shows no icons of 16384 bytes',
    'icon/2 limits/1',
    icon('export const maxIconBytes = 16384;', 'export const maxIconBytes = 16383;'),
  ),
  boxFault(
    'icon-in-characters',
    'measures icons in characters',
    'icon/2 limits/1',
    catalogue(' || stamp.size > maxIconBytes', ''),
    catalogue('icon, maxIconBytes + 1)', 'icon, 4 * maxIconBytes)'),
    icon(
      'if (bytes.length > maxIconBytes) return null;',
      'if (new TextDecoder().decode(bytes).length > maxIconBytes) return null;',
    ),
  ),
  boxFault(
    'icon-cut-off',
    'shows the first 16384 bytes of a larger icon',
    'icon/2 limits/1',
    catalogue(' || stamp.size > maxIconBytes', ''),
    catalogue('icon, maxIconBytes + 1)', 'icon, maxIconBytes)'),
  ),
  boxFault(
    'icon-not-utf-8',
    'shows icons in bytes that are no UTF-8',
    'icon/2',
    icon('const text = decodeUtf8(bytes);', 'const text = new TextDecoder().decode(bytes);'),
  ),
  boxFault(
    'icon-anywhere',
    'shows what has <svg anywhere in it',
    'icon/3',
    icon("startsWith('<svg')", "includes('<svg')"),
  ),
  boxFault(
    'icon-not-trimmed',
    'shows no icon with white space before it',
    'icon/3 icon/5',
    icon('withoutDeclaration(trim(text, isAround))', 'withoutDeclaration(text)'),
  ),
  boxFault(
    'icon-declaration-stays',
    'shows no icon with an XML declaration',
    'icon/3 icon/5',
    icon('return end === -1 ? null : trim(text.slice(end + 2), isAround);', 'return null;'),
  ),
  boxFault(
    'icon-declaration-open',
    'shows an icon whose declaration is not closed',
    'icon/3',
    icon('end === -1 ? null', "end === -1 ? text.slice(text.indexOf('<svg'))"),
  ),
  boxFault('icon-script-upper', 'shows scripts in upper case', 'icon/4', icon('/<script/i', '/<script/')),
  boxFault(
    'icon-script-whole',
    'looks for script elements by their whole name',
    'icon/4',
    icon('/<script/i', '/<script\\b/i'),
  ),
  boxFault('icon-javascript', 'shows javascript: addresses', 'icon/4', icon('/javascript:/i, ', '')),
  boxFault(
    'icon-javascript-upper',
    'shows javascript: in upper case',
    'icon/4',
    icon('/javascript:/i', '/javascript:/'),
  ),
  boxFault('icon-events', 'shows event attributes', 'icon/4', icon(', /\\bon[a-z]+\\s*=/i', '')),
  boxFault(
    'icon-events-upper',
    'shows event attributes in upper case',
    'icon/4',
    icon('\\bon[a-z]+\\s*=/i', '\\bon[a-z]+\\s*=/'),
  ),
  boxFault(
    'icon-events-blank',
    'shows event attributes with white space before =',
    'icon/4',
    icon('[a-z]+\\s*=', '[a-z]+='),
  ),
  boxFault(
    'icon-events-after-blank',
    'knows event attributes only after white space',
    'icon/4',
    icon('/\\bon', '/\\son'),
  ),
  boxFault(
    'icon-events-inside',
    'takes the end of a word for an event',
    'icon/4 icon/5',
    icon('/\\bon', '/on'),
  ),
  boxFault(
    'icon-on-alone',
    'takes on alone for an event',
    'icon/4 icon/5',
    icon('[a-z]+\\s*=', '[a-z]*\\s*='),
  ),
  boxFault(
    'icon-never',
    'shows no icon at all',
    'icon/5 summary/9',
    icon('pattern.test(markup)) ? null : markup', 'pattern.test(markup)) ? null : null'),
  ),
  boxFault(
    'icon-escaped',
    'shows the markup of icons escaped',
    'icon/5',
    icon(
      'pattern.test(markup)) ? null : markup',
      "pattern.test(markup)) ? null : markup.replaceAll('<', '&lt;')",
    ),
  ),
  boxFault(
    'icon-in-capitals',
    'shows an icon that starts with <SVG',
    'icon/3',
    icon("markup?.startsWith('<svg')", "markup?.toLowerCase().startsWith('<svg')"),
  ),
  boxFault(
    'icon-by-its-ending',
    'shows only icons whose names end in .svg',
    'icon/5',
    catalogue(readIcon, `if (!icon.endsWith('.svg')) return null; ${readIcon}`),
  ),
  boxFault(
    'icon-of-bundle-only',
    'shows no icon of an installed app',
    'icon/5 listApps/3',
    catalogue(readIcon, `if (place === 'installed') return null; ${readIcon}`),
  ),
];
