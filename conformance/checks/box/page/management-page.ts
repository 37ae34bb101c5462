import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { BrowserContext, Locator, Page, Request, Route } from 'playwright-core';
import { NotApplicable, withoutBrowser } from '../../../kernel/check.ts';
import { CheckFailed, TooSlow } from '../../../kernel/expect.ts';
import { until } from '../../../kernel/observe.ts';
import { patient } from '../../../kernel/patience.ts';
import type { BoxContext } from '../context.ts';
import { appCard, fieldOf, submitButton, visibleButtons } from './elements.ts';

/** A request of the page. The body is parsed JSON; `undefined` without a body, `null` for one that is not JSON. */
export type PageRequest = { method: string; path: string; body: unknown; answer: () => Promise<unknown> };

/**
 * The management page of the implementation in a browser. The suite plays the reverse proxy: it serves an empty style
 * sheet, and `update-state.json`. Questions of the page are answered with yes.
 */
export type ManagementPage = {
  page: Page;
  requests: PageRequest[];
  /** Everything that the page loaded from elsewhere, or tried to, as URLs. */
  foreign: string[];
  /** The element with the app's name and its buttons. Fails the check if the page has no such element. */
  card: (app: string) => Promise<Locator>;
  /** The visible buttons of an app with that name. Opens the app's menu for them. */
  buttonsOf: (app: string, button: RegExp) => Promise<Locator>;
  /** Presses a button of an app. */
  press: (app: string, button: RegExp) => Promise<void>;
  /** Presses a button of an app, says yes to a question, and returns the request that follows. */
  pressToPost: (app: string, button: RegExp) => Promise<PageRequest>;
  /** Opens the form of an app by a button. Returns once the form shows the setting of that label. */
  openForm: (app: string, button: RegExp, label: string) => Promise<void>;
  field: (label: string) => Locator;
  submit: (label: string) => Promise<void>;
  /** The n-th POST, counted from 0. Waits for it. */
  posted: (index?: number) => Promise<PageRequest>;
};

/** The time limit of a step. A browser on a busy machine needs seconds for a page. */
export const pageMs = 10_000;

/** Opens the page, runs the steps, and closes the page. A failure names the errors that the page reported. */
export async function onPage(box: BoxContext, steps: (page: ManagementPage) => Promise<void>): Promise<void> {
  const { browser } = box.environment;
  if (browser === undefined) throw new NotApplicable(withoutBrowser);
  await box.get('/api/apps');
  const context = await browser.openContext();
  const faults: string[] = [];
  try {
    context.setDefaultTimeout(patient(pageMs));
    const page = await context.newPage();
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('dialog', (dialog) => void dialog.accept());
    await steps(await open(box, context, page));
  } catch (error) {
    throw explained(error, faults);
  } finally {
    await context.close();
  }
}

/** Failures of waiting for the page count as too slow, so that the check is repeated with more patience. */
function explained(error: unknown, faults: readonly string[]): unknown {
  const reported = faults.length === 0 ? '' : `\nThe page reported: ${[...new Set(faults)].join('; ')}`;
  const { name, message } = error as Error;
  if (name === 'TimeoutError')
    return new TooSlow(`the page can be used: ${stripVTControlCharacters(message)}${reported}`, true, false);
  if (!(error instanceof CheckFailed) || reported === '') return error;
  const failure = error instanceof TooSlow ? TooSlow : CheckFailed;
  return new failure(`${error.message}${reported}`, error.expected, error.actual);
}

async function open(box: BoxContext, context: BrowserContext, page: Page): Promise<ManagementPage> {
  const origin = `http://127.0.0.1:${box.subject().port}`;
  const requests: PageRequest[] = [];
  const foreign: string[] = [];
  let opensMenu = false;
  page.on('request', (request) => {
    const path = request.url().startsWith(`${origin}/`) ? request.url().slice(origin.length) : null;
    if (path !== null && isExpected(path, opensMenu)) requests.push(shownRequest(request, path));
    else if (!/^(data|blob|about):/.test(request.url())) foreign.push(request.url());
  });
  await context.route('**/*', (route) => answerAsProxy(route, origin, box.environment.stateDir));
  await page.goto(`${origin}/apps`);
  const posts = () => requests.filter(({ method }) => method === 'POST');
  const note = (does: string) => box.journal.push({ by: 'hand', description: `in the page: ${does}` });
  const card = async (app: string) => {
    const found = appCard(page, app);
    await until(`the page shows the app ${app} with its buttons`, async () => (await found.count()) > 0, pageMs);
    return found;
  };
  const buttonsOf = async (app: string, button: RegExp) => {
    const shown = await card(app);
    opensMenu ||= (await shown.getByRole('button', { name: button }).count()) === 0;
    return visibleButtons(shown, button);
  };
  const press = async (app: string, button: RegExp) => {
    note(`press ${button.source} of ${app}`);
    await (await buttonsOf(app, button)).first().click();
  };
  const posted = async (index = 0) => {
    await until('the page sends a POST', () => posts().length > index, pageMs);
    return posts()[index] as PageRequest;
  };
  const field = (label: string) => fieldOf(page, label);
  return {
    page,
    requests,
    foreign,
    card,
    buttonsOf,
    press,
    pressToPost: async (app, button) => {
      const before = posts().length;
      await press(app, button);
      await until(
        `the page sends a POST after a press of ${button.source}`,
        async () => {
          if (posts().length === before) await sayYes(page, appCard(page, app), button);
          return posts().length > before;
        },
        pageMs,
      );
      const [request] = posts().slice(before);
      // Ends when the box has done it, so that the next step finds the result.
      await request?.answer();
      return request as PageRequest;
    },
    openForm: async (app, button, label) => {
      await press(app, button);
      await until(`a form with the field ${label}`, async () => (await field(label).count()) > 0, pageMs);
    },
    field,
    submit: async (label) => {
      note('submit the form');
      await submitButton(page, label).click();
    },
    posted,
  };
}

/**
 * The page, and what a proxy serves of a box. Browsers ask for the last one by themselves. A menu may depend on whether
 * there is anything behind the page's link to `/settings/`.
 */
const isExpected = (path: string, opensMenu: boolean) =>
  /^\/(?:apps\/?|api\/.*|style\.css|update-state\.json|favicon\.ico)?$/.test(path.split('?', 1)[0] ?? '') ||
  (opensMenu && path.startsWith('/settings/api/'));

function shownRequest(request: Request, path: string): PageRequest {
  const data = request.postData();
  return {
    method: request.method(),
    path,
    body: data === null ? undefined : parsed(data),
    answer: async () => parsed((await (await request.response())?.text()) ?? ''),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Answers for the proxy's own files. Requests to other hosts get no answer. */
async function answerAsProxy(route: Route, origin: string, stateDir: string): Promise<void> {
  const url = route.request().url();
  if (!url.startsWith(`${origin}/`)) return route.abort();
  if (url === `${origin}/style.css`) return route.fulfill({ contentType: 'text/css', body: '' });
  if (url.split('?', 1)[0] !== `${origin}/update-state.json`) return route.continue();
  const file = join(stateDir, 'update-state.json');
  if (!existsSync(file)) return route.fulfill({ status: 404, body: '' });
  return route.fulfill({ contentType: 'application/json', body: readFileSync(file, 'utf8') });
}

const yes = /\b(?:yes|ok|okay|confirm|continue|proceed|sure|really|delete)\b/i;

/** Presses yes in a question of the page: a dialog, or a button that took the place of the pressed one. */
export async function sayYes(page: Page, card: Locator, button: RegExp): Promise<void> {
  const dialogs = page.getByRole('dialog').or(page.getByRole('alertdialog'));
  const inDialog = dialogs.getByRole('button', { name: new RegExp(`${yes.source}|${button.source}`, 'i') });
  const answer = inDialog.or(card.getByRole('button', { name: yes }));
  if ((await answer.count()) > 0) await answer.first().click();
}
