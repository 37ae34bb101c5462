import { acting, onBox, printing } from '../box-of.ts';
import type { Command } from '../command.ts';
import { boxSettings } from '../settings/box-settings.ts';
import { read, row } from '../settings/setting.ts';

const { stateDir } = boxSettings;
const settings = { stateDir };
const name = row(
  '--name NAME',
  '',
  (text) => text,
  undefined,
  'a name for the store instead of the end of its address',
);

export const storeCommands: readonly Command[] = [
  {
    usage: 'box store add ADDRESS',
    summary: 'offer the apps of a store: the address of a git repository, or a folder',
    settings: { stateDir, name },
    run: (call) => acting('stores/add', { address: call.words[0] ?? '', name: read(name, call) ?? '' })(call),
  },
  {
    usage: 'box store list',
    summary: 'list the stores, and how many apps each offers',
    settings,
    run: printing('stores'),
  },
  {
    usage: 'box store update [NAME]',
    summary: 'read one store anew, or all',
    settings,
    run: (call) => acting('stores/update', { name: call.words[0] ?? '' })(call),
  },
  {
    usage: 'box store remove NAME',
    summary: 'end the offer of a store; its apps that are installed stay',
    settings,
    run: (call) => acting('stores/remove', { name: call.words[0] ?? '' })(call),
  },
  {
    usage: 'box store check NAME',
    summary: 'list what became of each app of a store: offered or left out, and why',
    settings,
    run: onBox(async (box, [store = '']) => {
      const { checkStore } = await import('../../box/stores/stores.ts');
      const { reportLine } = await import('../../box/stores/rules/store.ts');
      return checkStore(box, store).map(reportLine);
    }),
  },
];
