import type { Locator, Page } from 'playwright-core';

/**
 * Finds elements by role, label and text, never by id or class, so that the checks drive any page. Each finder looks for
 * the smallest element that has what a person would look for.
 */

/** The buttons of an app, by the names that the requirements give them. */
export const buttons = {
  install: /(?<![a-z-])install\b/i,
  settings: /\bsettings\b/i,
  update: /\bupdate\b/i,
  reinstall: /\bre-?install\b/i,
  remove: /\bremove\b/i,
};

const anyButton = new RegExp(
  Object.values(buttons)
    .map(({ source }) => source)
    .join('|'),
  'i',
);

/** The smallest visible element with the name of an app and a button of it, which may be in a menu that is closed. */
export const appCard = (page: Page, app: string): Locator =>
  page
    .locator('body *')
    .filter({ hasText: app })
    .filter({ has: page.getByRole('button', { name: anyButton, includeHidden: true }) })
    .filter({ visible: true })
    .last();

/** What opens a menu or unfolds a part of a card. */
const closed =
  'button[aria-expanded=false], [role=button][aria-expanded=false], [aria-haspopup], details:not([open]) > summary';

/** The visible buttons of a card that have a name. Without one, opens what is closed in the card until there is one. */
export async function visibleButtons(card: Locator, name: RegExp): Promise<Locator> {
  const found = card.getByRole('button', { name });
  for (const one of await card.locator(closed).filter({ visible: true }).all()) {
    if ((await found.count()) > 0) break;
    await one.click();
  }
  return found;
}

const inputs = 'input, textarea, select';

/** The visible field of a label. If the page does not associate the label, the field after its text. */
export const fieldOf = (page: Page, label: string): Locator =>
  page
    .locator(inputs)
    .and(page.getByLabel(label))
    .or(page.locator(`xpath=//*[text()[contains(., ${JSON.stringify(label)})]]/following::input[1]`))
    .filter({ visible: true })
    .first();

const submitName = /(?<![a-z-])(?:install|save|store|submit|apply|ok|update|confirm|change|set|continue|done)\b/i;

/** The button that submits the form with the field of a label. */
export const submitButton = (page: Page, label: string): Locator => {
  const button = page.getByRole('button', { name: submitName });
  return page
    .locator('body *')
    .filter({ has: fieldOf(page, label) })
    .filter({ has: button })
    .last()
    .getByRole('button', { name: submitName })
    .last();
};
