/** What the commands beside `box serve` need, as one module that is loaded on demand. */
export { makeBox } from '../../box/server.ts';
export { restoreApp, trashLines } from '../../box/trash-commands.ts';
