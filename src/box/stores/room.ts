import { shownName } from '../../lib/shown-text.ts';
import {
  capitalized,
  note,
  type Room,
  type Row,
  roomOf,
  type Section,
  type ShownAction,
  sectionOf,
  warning,
} from '../report.ts';
import { momentText } from '../rules/text/amounts.ts';
import { publicStores, type Store, type StoresBox } from './ports.ts';

const what =
  'A store is a public list of apps that others keep. Its apps appear among those that you can install. There is none until you add one.';
const trust =
  'An app can be as good as root on this machine. boxgate reads what a store says and does not vouch for it: add only stores that you trust.';
const slow = 'Reading the store: this can take some minutes';

/** What became of each app of a store: those that are left out first, then those that are offered with a note. */
export function storeRoom(box: StoresBox): Room {
  return {
    path: 'stores/',
    async read(name) {
      const { checkStore } = await import('./stores.ts');
      const apps = checkStore(box, name);
      const leftOut = apps.flatMap((app): Row[] =>
        app.isOffered ? [] : [{ text: shownName(app.folder), facts: [capitalized(`${app.reason}.`)] }],
      );
      const noted = apps.flatMap((app): Row[] =>
        app.isOffered && app.notes.length > 0 ? [{ text: app.name, facts: app.notes }] : [],
      );
      const none =
        leftOut.length + noted.length === 0 ? [note('All apps are offered, and nothing is to be said.')] : [];
      return {
        sections: [
          ...sectionOf(`Left out of ${name}`, [...leftOut, ...none]),
          ...sectionOf(`Offered from ${name}, with a note`, noted),
        ],
      };
    },
  };
}

export function storesRoom(box: StoresBox): Room {
  return {
    path: 'stores',
    title: 'Stores',
    group: 'box',
    async read() {
      const stores = box.stores.list();
      const rows = stores.map(storeRow);
      return {
        sections: [
          {
            rows: [{ is: 'text', text: what }, warning(trust), ...rows],
            ...(stores.length > 0 && { actions: [readAll] }),
          },
          ...offered(stores),
          { title: 'Another store', rows: [note(`It has the form of ${titles}.`)], actions: [another] },
        ],
      };
    },
    async print() {
      const stores = box.stores.list();
      const status = stores.some(({ problem }) => problem !== null) ? 1 : 0;
      return { status, lines: stores.length === 0 ? ['there is no store'] : stores.map(storeLine) };
    },
    actions: {
      add: {
        verb: 'add a store',
        fields: { address: 2048, name: 40 },
        needed: ['address'],
        async run({ address = '', name }) {
          const { addStore } = await import('./stores.ts');
          const store = await addStore(box, { address, name: name ?? null });
          return { ok: true, text: resultOf(store) };
        },
      },
      update: {
        verb: 'read stores anew',
        fields: { name: 40 },
        async run({ name }) {
          const { updateStores } = await import('./stores.ts');
          const stores = await updateStores(box, name ?? null);
          const ok = stores.every(({ problem }) => problem === null);
          return { ok, text: stores.map(resultOf).join('\n') || 'There is no store.' };
        },
      },
      remove: {
        verb: 'remove a store',
        fields: { name: 40 },
        needed: ['name'],
        async run({ name = '' }) {
          const { removeStore } = await import('./stores.ts');
          await removeStore(box, name);
          return { ok: true, text: `The store ${name} is removed. Apps of it that are installed stay.` };
        },
      },
    },
  };
}

const titles = publicStores.map(({ title }) => title).join(' or ');
const readAll: ShownAction = { act: 'stores/update', label: 'Read all anew', kind: 'quiet', doing: slow };
const another: ShownAction = {
  ...{ act: 'stores/add', label: 'Add', kind: 'primary', doing: slow },
  fields: [
    { name: 'address', label: 'Address of the git repository, or a folder of this machine', type: 'text' },
    { name: 'name', label: 'Name (may be left blank)', type: 'text' },
  ],
};

function offered(stores: readonly Store[]): Section[] {
  const left = publicStores.filter(({ address }) => !stores.some((store) => store.address === address));
  if (left.length === 0) return [];
  const rows = left.map(({ name, title, address }): Row => {
    const add = { act: 'stores/add', label: 'Add', about: title, kind: 'primary', given: { address, name } } as const;
    return { text: title, facts: [address], actions: [{ ...add, doing: slow }] };
  });
  return [{ title: 'Public stores', rows }];
}

function storeRow(store: Store): Row {
  const { name, address, readAt, problem } = store;
  const of = { about: name, given: { name } };
  const text = 'Its apps are not offered any more. Apps of it that are installed stay, but get no newer versions.';
  const question = { title: `Remove the store ${name}?`, text, answer: 'Remove' };
  return {
    text: name,
    link: { text: 'What was left out, and what to know', href: `#/${roomOf('stores', name)}` },
    ...(problem !== null && { state: 'problem' }),
    facts: [
      ...(problem === null ? [] : [`It was not read anew: ${problem}. Its apps stay as they were.`]),
      shownName(address),
      `${capitalized(counts(store))}. Read ${momentText(new Date(readAt))}.${insecure(store)}`,
    ],
    actions: [
      { ...of, act: 'stores/update', label: 'Read anew', kind: 'quiet', doing: slow },
      { ...of, act: 'stores/remove', label: 'Remove', kind: 'danger', question, doing: `Removing ${name}` },
    ],
  };
}

const counts = ({ offered: some, leftOut }: Store) =>
  `${some} ${some === 1 ? 'app is' : 'apps are'} offered, ${leftOut} ${leftOut === 1 ? 'is' : 'are'} left out`;

const insecure = ({ address }: Store) =>
  address.startsWith('http:') ? ' What comes from it can be changed on its way, because its address has no https.' : '';

function resultOf(store: Store): string {
  const { name, problem } = store;
  return problem === null
    ? `Store ${name}: ${counts(store)}.${insecure(store)}`
    : `Store ${name} was not read anew: ${problem}. Its apps stay as they were.`;
}

function storeLine(store: Store): string {
  const { name, address, readAt, problem } = store;
  const line = `${name}\t${shownName(address)}\t${counts(store)}\tread ${readAt}`;
  const more = problem === null ? insecure(store).trim() : `It was not read anew: ${problem}`;
  return more === '' ? line : `${line}\n  ${more}`;
}
