/** Draws sections and rows. */

import { stateText, stateWords } from '../../box/page/apps/app-state.js';
import { iconImage } from '../../box/page/apps/icon.js';
import { arrange, button, element, withCode } from '../../box/page/dom.js';
import { localText } from '../../box/page/local-text.js';
import { actionBar, actionButton } from './actions.js';
import { logSection } from './app-log.js';

/** @import { Schemas, Visit } from './visit.js' */

/** @typedef {Schemas['Section']} Section @typedef {Schemas['Row']} Row */

/** The text from which each section was drawn. @type {WeakMap<Element, string>} */
const drawnOf = new WeakMap();

/**
 * Draws sections into a place. An unchanged section stays as it is, with what the owner has typed there.
 * @param {Visit} visit
 * @param {HTMLElement} place
 * @param {Section[]} sections
 */
export function drawSections(visit, place, sections) {
  const before = new Map([...place.children].map((one) => [drawnOf.get(one), /** @type {HTMLElement} */ (one)]));
  const wanted = sections.map((section) => {
    const text = JSON.stringify(section);
    const made = before.get(text) ?? drawSection(visit, section);
    drawnOf.set(made, text);
    return made;
  });
  arrange(place, wanted);
}

/** @param {Visit} visit @param {Section} section */
function drawSection(visit, { title, rows, actions = [], most, log, is_folded: isFolded = false }) {
  if (log !== undefined) return logSection(log, visit);
  const content = [...drawRows(visit, rows, most), ...actionBar(visit, actions)];
  const heading = title === undefined ? null : element(visit.level, { text: title });
  if (isFolded) {
    return element('section', {}, element('details', { class: 'part' }, element('summary', {}, heading), ...content));
  }
  return element('section', {}, heading, ...content);
}

/**
 * Paragraphs, and lists of the rows between them.
 * @param {Visit} visit
 * @param {Row[]} rows
 * @param {number} [most] how many are shown at first
 */
function drawRows(visit, rows, most = rows.length) {
  /** @type {HTMLElement[]} */
  const parts = [];
  for (const row of rows.slice(0, most)) {
    const made = drawRow(visit, row);
    const last = parts.at(-1);
    if (made.tagName !== 'LI') parts.push(made);
    else if (last?.tagName === 'UL') last.append(made);
    // Safari takes a list without bullets for no list, unless it has the role.
    else parts.push(element('ul', { class: 'rows', role: 'list' }, made));
  }
  if (rows.length > most) {
    const more = button(`Show all ${rows.length}`, 'quiet', () => {
      parts.at(-2)?.append(...rows.slice(most).map((row) => drawRow(visit, row)));
      more.remove();
    });
    parts.push(more);
  }
  return parts;
}

/** @param {Visit} visit @param {Row} row */
function drawRow(visit, row) {
  const {
    is = 'item',
    text,
    href,
    state,
    facts = [],
    value,
    link,
    actions = [],
    icon,
    icon_url: iconUrl,
    folded,
  } = row;
  if (folded !== undefined) return drawFolded(row, folded);
  const title = href === undefined ? withCode(localText(text)) : [linkTo(href, text)];
  const more = link === undefined ? [] : [linkTo(link.href, link.text, `${link.text}: ${text}`)];
  if (is !== 'item') {
    const content = state === undefined ? title : [stateLine(state, text)];
    return element('p', { class: is === 'text' ? '' : is }, ...content, ...more.flatMap((one) => [' ', one]));
  }
  const isOfApp = state !== undefined && state in stateWords;
  const stateLines = state === undefined ? [] : [stateLine(state, isOfApp ? (facts[0] ?? '') : '')];
  const sentences = facts.slice(isOfApp ? 1 : 0).map((one) => element('span', {}, ...withCode(localText(one))));
  if (value !== undefined) sentences.push(element('span', { text: value }));
  const buttons = actions.map((one) => actionButton(visit, one, () => ({})));
  return element(
    'li',
    { class: 'row' },
    icon === undefined ? null : element('span', { class: 'icon', 'aria-hidden': 'true' }, iconImage(icon, iconUrl)),
    element(
      'div',
      {},
      element(visit.level, {}, ...title),
      ...[...stateLines, ...sentences, ...more].map((one) => element('p', { class: 'note' }, one)),
    ),
    buttons.length > 0 ? element('div', { class: 'row-buttons' }, ...buttons) : null,
  );
}

/** @param {string} href @param {string} text @param {string} [name] what a screen reader hears */
function linkTo(href, text, name) {
  const isOutside = /^https?:/.test(href);
  const isFile = href.startsWith('/settings/api/backup-files/');
  return element('a', {
    text,
    href,
    rel: isOutside ? 'noreferrer noopener' : undefined,
    // An error must not replace the page.
    download: isFile,
    'aria-label': name,
  });
}

/** A longer text: a file to download, or one that opens. @param {Row} row @param {string} folded */
function drawFolded({ text, file }, folded) {
  if (file === undefined) {
    return element('details', {}, element('summary', { text: localText(text) }), element('pre', { text: folded }));
  }
  const area = element('textarea', { id: 'file', rows: '16', readonly: true, spellcheck: 'false' });
  area.value = folded;
  const href = URL.createObjectURL(new Blob([folded], { type: 'text/plain' }));
  return element(
    'div',
    {},
    element('label', { text, for: area.id }),
    area,
    element('p', {}, element('a', { text: 'Download it', href, download: file })),
  );
}

/** @type {Readonly<Record<string, { sign: string, word: string, look: string }>>} */
const verdicts = {
  problem: { sign: '!', word: 'Problem', look: 'unhealthy' },
  unsure: { sign: '?', word: 'Unknown', look: 'unknown' },
  off: { sign: '–', word: 'Off', look: 'unknown' },
  right: { sign: '✓', word: 'Right', look: 'running' },
};

/** A word with its sign, and the rest of the sentence. @param {string} state @param {string} text */
function stateLine(state, text) {
  const known = /** @type {keyof typeof stateWords} */ (state in stateWords ? state : 'unknown');
  const [word, rest] = stateText(known, text);
  const verdict = verdicts[state] ?? { sign: stateWords[known].sign, word, look: known };
  const sign = element('span', { class: 'sign', text: verdict.sign, 'aria-hidden': 'true' });
  const strong = element('strong', { text: verdict.word });
  return element('span', { class: `state ${verdict.look}` }, sign, ' ', strong, text === '' ? null : rest);
}
