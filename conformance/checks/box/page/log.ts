import type { Locator, Page } from 'playwright-core';
import { until } from '../../../kernel/observe.ts';
import { showsText, textBeside } from './dom.ts';
import { pageMs } from './management-page.ts';

/** The log panel after an action. `status` is its text beside the JSON, without white space. */
export type ShownLog = { folds: boolean; status: string };

const named = /\b(?:log|details?|output|json|response|answer|latest|last|recent|activity|history|result)\b/i;

/** Everything that a person could fold or unfold a panel with. */
const toggles = (page: Page): Promise<Locator[]> =>
  page
    .locator('summary, [aria-expanded]')
    .or(page.getByRole('button', { name: named }))
    .filter({ visible: true })
    .all();

/** Finds the panel with the JSON of an answer, unfolds it, and folds it twice. */
export async function openLog(page: Page, answer: unknown): Promise<ShownLog> {
  const json = JSON.stringify(answer).replaceAll(/\s/g, '');
  await until(
    `a panel shows ${json}`,
    async () => {
      if (await showsText(page, json)) return true;
      for (const toggle of await toggles(page)) {
        await toggle.click();
        if (await showsText(page, json)) return true;
        await toggle.click();
      }
      return false;
    },
    pageMs,
  );
  for (const toggle of await toggles(page)) {
    await toggle.click();
    const isFolded = !(await showsText(page, json));
    await toggle.click();
    if (isFolded) return { folds: await showsText(page, json), status: await textBeside(toggle, json) };
  }
  return { folds: false, status: '' };
}
