import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { type Check, check } from '../../../kernel/check.ts';
import { CheckFailed, TooSlow } from '../../../kernel/expect.ts';
import { until } from '../../../kernel/observe.ts';
import type { BoxContext } from '../context.ts';
import { isInside, tellersOf } from './dom.ts';
import { buttons } from './elements.ts';
import { type ManagementPage, onPage, sayYes } from './management-page.ts';
import { fillShelf, harbour, titles } from './shelf.ts';

const reason = 'the new version sank';

/** The final stages, and what a page may call them. */
const endings = [
  { state: { stage: 'done' }, told: 'done|complete|finish|succe|up[ -]to[ -]date|updated|newest' },
  { state: { stage: 'rolled_back', reason }, told: `${reason}|roll(?:ed|s)?[ _-]?back|revert|fail` },
];

/** A page may ask for the state every few seconds only. */
const pollMs = 15_000;

/** Presses what starts an update of the software: the buttons that belong to no app, a check for a version first. */
async function startUpdate({ page, requests }: ManagementPage): Promise<void> {
  const isStarted = () => requests.some(({ path }) => path === '/api/self/update/apply');
  const pressed = new Set<string>();
  const named = page.getByRole('button', { name: /\b(?:updates?|upgrade|version)\b/i });
  const isNext = async (button: Locator) =>
    !pressed.has(await button.innerText()) && !(await isInside(button, titles)) && (await button.isEnabled());
  const started = until(
    'the page starts an update',
    async () => {
      if (isStarted()) return true;
      for (const button of await named.filter({ visible: true }).all()) {
        if (!(await isNext(button))) continue;
        pressed.add(await button.innerText());
        await button.click();
        break;
      }
      await sayYes(page, page.locator('dialog'), buttons.update);
      return isStarted();
    },
    pollMs,
  );
  await started.catch((error: unknown) => {
    if (!(error instanceof TooSlow)) throw error;
    const hint = 'a page without it declares --without page-update';
    throw new CheckFailed(`a button of the page starts an update of the box software (${hint})`, true, false);
  });
}

/**
 * Starts an update by the page and lets it end. The suite answers the check and the start, so that no real update runs,
 * and writes the state as the updater does.
 */
async function followUpdate(box: BoxContext, { state, told }: (typeof endings)[number]): Promise<void> {
  const file = join(box.environment.stateDir, 'update-state.json');
  const write = (content: object) => writeFileSync(file, JSON.stringify(content));
  write({});
  await onPage(box, async (shown) => {
    const { card, page, requests } = shown;
    await page.route('**/api/self/update/check', (route) =>
      route.fulfill({ json: { current: '1.0.0', latest: '2.0.0', update_available: true } }),
    );
    await page.route('**/api/self/update/apply', (route) =>
      route.fulfill({ status: 202, json: { status: 'dispatched', unit: 'update.service' } }),
    );
    await card(harbour.title);
    await startUpdate(shown);
    const asked = () => requests.filter(({ path }) => /update\/status$|update-state\.json/.test(path)).length;
    write({ stage: 'downloading' });
    const before = asked();
    await until('the page asks for the state until the update ends', () => asked() > before + 1, pollMs);
    const toldBefore = new Set(await tellersOf(page, told));
    let isReloaded = false;
    page.on('framenavigated', (frame) => {
      isReloaded ||= frame === page.mainFrame();
    });
    write(state);
    await until(
      `the page tells that the update ended as ${state.stage}`,
      async () => isReloaded || (await tellersOf(page, told)).some((teller) => !toldBefore.has(teller)),
      pollMs,
    );
  });
}

export const checks: Check<BoxContext>[] = endings.map((ending) =>
  check(
    `box/page/update-${ending.state.stage.replace('_', '-')}`,
    ['box/update-state/6'],
    `follows an update of the software and takes ${ending.state.stage} as its end`,
    (box) => {
      fillShelf(box.environment);
      return followUpdate(box, ending);
    },
    { needs: 'page-update' },
  ),
);
