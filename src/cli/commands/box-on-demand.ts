/** What the commands beside `box serve` need, as one module that is loaded on demand. */
export { restoreApp, trashLines, undoSettings } from '../../box/apps/app-commands.ts';
export { checkCatalogue } from '../../box/apps/catalogue-check.ts';
export { openPortsOf } from '../../box/reconcile/app-states.ts';
export { catalogueDirectories, makeBox } from '../../box/server.ts';
