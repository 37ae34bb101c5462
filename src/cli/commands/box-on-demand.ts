/** What the commands beside `box serve` need, as one module that is loaded on demand. */
export { restoreApp, trashLines, undoSettings } from '../../box/app-commands.ts';
export { openPortsOf } from '../../box/app-states.ts';
export { checkCatalogue } from '../../box/catalogue-check.ts';
export { catalogueDirectories, makeBox } from '../../box/server.ts';
