/** The cards of the apps, each with how its latest operation went; the focus follows an app from list to list. */
import { makeCard } from '../apps/card.js';
import { byId } from '../dom.js';

/** @import { Card } from '../apps/card.js' */
/** @import { CardPresses } from '../apps/menu.js' */
/** @import { App } from '../apps/model.js' */
/** @import { Status } from '../apps/operations.js' */

/** @typedef {ReturnType<typeof makeShownCards>} ShownCards */

const cardKinds = /** @type {const} */ (['installed', 'broken', 'available']);

/** @param {CardPresses} presses */
export function makeShownCards(presses) {
  /** @type {Map<string, Card>} by kind and name: an app that changes lists gets a new card */
  const cards = new Map();
  /** @type {Map<string, Status>} */
  const statuses = new Map();

  /** @param {App} app */
  function shownCard(app) {
    const key = `${app.kind} ${app.name}`;
    const card = cards.get(key) ?? makeCard(app, presses, location.hostname);
    cards.set(key, card);
    card.show(statuses.get(app.name), app);
    return card;
  }

  /**
   * Drops the cards of apps that are in neither list any more; those that a search hides are kept.
   * @param {App[]} apps
   */
  function forgetCards(apps) {
    const known = new Set(apps.map((app) => `${app.kind} ${app.name}`));
    for (const key of cards.keys()) if (!known.has(key)) cards.delete(key);
  }

  /**
   * If the focused card was removed, the focus moves to the same app in the other list, else to the start of the
   * lists.
   * @param {string} app
   */
  function focusNear(app) {
    const other = cardKinds.map((kind) => cards.get(`${kind} ${app}`)).find((card) => card?.item.checkVisibility());
    (other?.heading ?? byId('installed-title')).focus();
  }

  /** @param {string} app @param {Status | null} status */
  function setStatus(app, status) {
    if (status) statuses.set(app, status);
    else statuses.delete(app);
    for (const kind of cardKinds) cards.get(`${kind} ${app}`)?.show(status ?? undefined);
  }

  return {
    shownCard,
    forgetCards,
    focusNear,
    setStatus,
    /** @param {string} app */
    getStatus: (app) => statuses.get(app),
    isAnyRunning: () => [...statuses.values()].some(({ kind }) => kind === 'running'),
  };
}

/** The app whose card has the focus. */
export function focusedCard() {
  const item = document.activeElement?.closest('[data-app]');
  return item ? { item, app: item.getAttribute('data-app') ?? '' } : null;
}
