/** Makes elements one by one and sets text as text, so that no text of the API is parsed as markup. */

/**
 * An element with its text, attributes and children. `true` sets an attribute without a value; `undefined` and `false`
 * set none. Null children are left out.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | boolean | undefined> & { text?: string }} [properties]
 * @param {...(Node | string | null)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, { text, ...attributes } = {}, ...children) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = straight(text);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'string') made.setAttribute(name, value);
    else made.toggleAttribute(name, value ?? false);
  }
  made.append(
    ...children.filter((child) => child !== null).map((one) => (typeof one === 'string' ? straight(one) : one)),
  );
  return made;
}

/**
 * A text in which no name turns the words behind it around: the characters that do so become escapes.
 * @param {string} text
 */
function straight(text) {
  return text.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`);
}

/** The element that the page's own HTML has under an id. @param {string} id */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/** Announces a text to screen readers and removes older announcements. @param {string} text */
export function announce(text) {
  const announcer = byId('announcer');
  announcer.append(element('p', { text }));
  while (announcer.childElementCount > 5) announcer.firstElementChild?.remove();
}

/**
 * A button. While it is busy it stays focusable, so that keyboard users keep their place.
 * @param {string} text
 * @param {string} kind
 * @param {() => void} press
 * @param {string} [name] what a screen reader hears; begins with the text
 */
export function button(text, kind, press, name) {
  const made = element('button', { class: `button ${kind}`, text, type: 'button' });
  if (name) made.setAttribute('aria-label', name);
  made.addEventListener('click', () => {
    if (made.getAttribute('aria-disabled') !== 'true') press();
  });
  return made;
}

/**
 * Replaces a list's items by the wanted ones without moving items that are already in place: a moved element loses
 * its focus.
 * @param {HTMLElement} list
 * @param {HTMLElement[]} wanted
 */
export function arrange(list, wanted) {
  const kept = new Set(wanted);
  for (const child of [...list.children]) {
    if (!kept.has(/** @type {HTMLElement} */ (child))) child.remove();
  }
  let place = list.firstElementChild;
  for (const item of wanted) {
    if (item === place) place = place.nextElementSibling;
    else list.insertBefore(item, place);
  }
}

/** What each place was drawn from. @type {WeakMap<Element, readonly unknown[]>} */
const drawnFrom = new WeakMap();

/**
 * Draws the content of a place anew if one of these values is another one than before: a replaced element loses its
 * focus, and a screen reader would say it again. Returns whether it was drawn.
 * @param {Element} place
 * @param {readonly unknown[]} values
 * @param {() => (Node | string)[]} draw
 */
export function redraw(place, values, draw) {
  const before = drawnFrom.get(place);
  if (before !== undefined && values.every((value, index) => value === before[index])) return false;
  drawnFrom.set(place, values);
  place.replaceChildren(...draw());
  return true;
}

/**
 * Sets a text only if it differs, so that a screen reader does not announce it again.
 * @param {Element} target
 * @param {string} text
 */
export function setText(target, text) {
  const shown = straight(text);
  if (target.textContent !== shown) target.textContent = shown;
}

/**
 * Sets attributes that differ.
 * @param {Element | null} target
 * @param {Record<string, string>} attributes
 */
export function setAttributes(target, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (target?.getAttribute(name) !== value) target?.setAttribute(name, value);
  }
}

/** A text whose parts between backquotes are code. @param {string} text */
export function withCode(text) {
  return straight(text)
    .split('`')
    .map((part, index) => (index % 2 ? element('code', { text: part }) : part));
}

/** @param {string} href @param {string} title */
export function newTab(href, title) {
  return { href, target: '_blank', rel: 'noopener noreferrer', title };
}
