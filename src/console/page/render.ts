import { inlinePage, type Page } from '../../box/page/inline.ts';

/** The modules of the console's page, each after those that it imports, as paths below `src/`. */
export const consoleModules = [
  'box/page/dom.js',
  'box/page/apps/icon-values.js',
  'box/page/apps/icon.js',
  'box/page/api.js',
  'box/page/apps/app-state.js',
  'box/page/apps/model.js',
  'box/page/dialogs.js',
  'console/page/visit.js',
  'console/page/rooms/apps.js',
  'console/page/rooms/app-log.js',
  'console/page/rooms/addresses.js',
  'console/page/rooms/app.js',
  'console/page/rooms/backups.js',
  'console/page/rooms/names.js',
  'console/page/rooms/trash.js',
  'console/page/rooms/space.js',
  'console/page/rooms/updates.js',
  'console/page/rooms/notifications.js',
  'console/page/rooms/doctor.js',
  'console/page/console.js',
];

const styles = ['box/page/base.css', 'box/page/page.css', 'box/page/controls.css', 'console/page/console.css'];

/** The page of the console and its response headers. */
export function renderConsole(version: string): Page {
  return inlinePage({ html: 'console/page/console.html', modules: consoleModules, styles }, version);
}
