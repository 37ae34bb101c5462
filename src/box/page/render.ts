import { inlinePage, type Page } from './inline.ts';

/** The modules of the management page, each after those that it imports. */
export const pageModules = [
  'dom.js',
  'local-text.js',
  'scheme/scheme.js',
  'home-screen/home-screen.js',
  'apps/icon-values.js',
  'apps/icon.js',
  'api.js',
  'apps/app-state.js',
  'apps/model.js',
  'apps/outcomes.js',
  'apps/settings-values.js',
  'dialogs.js',
  'control.js',
  'status-line.js',
  'apps/under-way.js',
  'apps/progress.js',
  'apps/settings-form.js',
  'apps/operations.js',
  'apps/menu.js',
  'apps/card.js',
  'apps/about.js',
  'notice.js',
  'lists/shown-cards.js',
  'lists/shown-lists.js',
  'lists/lists-loads.js',
  'lists/lists.js',
  'apps/activity.js',
  'poll.js',
  'self-update/self-update-view.js',
  'self-update/self-update-progress.js',
  'self-update/self-update-reload.js',
  'self-update/self-update.js',
  'apps/update-all.js',
  'page.js',
];

const pageStyles = ['base.css', 'page.css', 'controls.css', 'cards.css', 'menu.css', 'activity.css'].map(
  (name) => `styles/${name}`,
);

const inFolder = (name: string) => `box/page/${name}`;

/**
 * The management page and its response headers.
 * box/service/2, box/service/4, box/endpoints/5
 */
export function renderPage(version: string): Page {
  const modules = pageModules.map(inFolder);
  const styles = pageStyles.map(inFolder);
  return inlinePage({ html: inFolder('page.html'), here: '/apps', modules, styles }, version);
}
