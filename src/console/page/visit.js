/** One visit of a room: reads it, draws it, follows its work, and carries out its actions. */

import { api, exchange } from '../../box/page/api.js';
import { setText } from '../../box/page/dom.js';
import { localText } from '../../box/page/local-text.js';

/** @import { components } from '../api.gen.ts' */

/** @typedef {components['schemas']} Schemas */

/** @template Body @typedef {import('../../box/page/api.js').Outcome<Body>} Outcome */

/** @typedef {ReturnType<typeof makeVisit>} Visit */

const followMs = 1500;
const readMs = 60_000;

/**
 * @param {{ address: string, title: string } & Record<'heading' | 'said' | 'place', HTMLElement>} opened an address
 * such as `apps/notes`, a title until the room says another one, and where its title, the text about the latest action
 * and its sections are shown
 * @param {AbortSignal} left aborted when the owner leaves the room
 * @param {(place: HTMLElement, sections: Schemas['Section'][]) => void} drawSections
 */
export function makeVisit({ address, title, heading, said, place }, left, drawSections) {
  let isFollowing = false;

  /** Shows a text about the latest action, and lets a screen reader say it. @param {string} text @param {'done' | 'problem' | ''} [kind] */
  const say = (text, kind = '') => {
    if (left.aborted) return;
    said.className = `said ${kind}`;
    setText(said, localText(text));
  };
  /** Returns `null` if there is no answer, after it has shown why, or if the owner has left. @param {string} path */
  const get = async (path) => {
    const signal = AbortSignal.any([left, AbortSignal.timeout(readMs)]);
    const outcome = await exchange(`/settings/api/${path}`, { signal });
    if (left.aborted) return null;
    if (isDone(outcome)) return outcome.body;
    const isUnknown = 'refusal' in outcome && outcome.refusal === 'notFound' && path === `rooms/${address}`;
    if (isUnknown) setTitle(heading, 'There is no such page');
    else say(outcome.message, 'problem');
    return null;
  };

  /** Whether it was drawn. */
  const draw = async () => {
    /** @type {Schemas['Report'] | null} */
    const report = await get(`rooms/${address}`);
    for (const waiting of place.querySelectorAll('.waiting')) waiting.remove();
    if (report === null) return false;
    setTitle(heading, report.title ?? title);
    const hadFocus = place.contains(document.activeElement);
    drawSections(place, report.sections);
    // The button that was pressed may be gone.
    if (hadFocus && !place.contains(document.activeElement)) heading.focus();
    if (report.is_followed && !isFollowing) await follow(false);
    return true;
  };

  /** Says how far the work is, also after a reload; then how it ended. @param {boolean} isNews the end of the work is news */
  const follow = async (isNews) => {
    /** @type {Schemas['Outcome'] | null} */
    const work = await get(`follow/${address}`);
    isFollowing = work?.has_begun === true;
    if (work === null) return;
    if (isFollowing) {
      say(work.text);
      setTimeout(() => void follow(true), followMs);
    } else if (isNews) {
      say(work.text, work.ok ? 'done' : 'problem');
      await draw();
    }
  };

  return {
    address,
    left,
    /** The headings of its sections and rows. @type {'h2' | 'h3'} */
    level: heading.tagName === 'H1' ? 'h2' : 'h3',
    say,
    get,
    draw,
    drawSections,
    /**
     * Carries out an action: its button is busy until the answer, which is shown. Returns `null` if nothing was done.
     * @param {HTMLButtonElement} pressed @param {Schemas['ShownAction']} action @param {Record<string, string>} fields
     */
    async act(pressed, { act = '', doing }, fields) {
      pressed.setAttribute('aria-disabled', 'true');
      say(`${doing}…`);
      /** @type {Outcome<Schemas['Outcome']>} */
      const outcome = await api.act(act, fields);
      pressed.removeAttribute('aria-disabled');
      const { ok, text, has_begun: hasBegun } = isDone(outcome) ? outcome.body : { ok: false, text: outcome.message };
      say(text, ok ? 'done' : 'problem');
      if (!ok || hasBegun) said.scrollIntoView({ block: 'nearest' });
      return isDone(outcome) ? outcome.body : null;
    },
    /** Shows what an action has changed. @param {Schemas['Outcome']} outcome */
    showChange: ({ has_begun: hasBegun }) => (hasBegun ? follow(true) : draw()),
  };
}

/** @param {HTMLElement} heading @param {string} shown */
function setTitle(heading, shown) {
  setText(heading, shown);
  if (heading.tagName === 'H1') document.title = shown;
}

/** @param {Outcome<any>} outcome @returns {outcome is Extract<Outcome<any>, { kind: 'done' | 'partial' }>} */
function isDone(outcome) {
  return outcome.kind === 'done' || outcome.kind === 'partial';
}
