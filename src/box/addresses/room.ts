import { refuse } from '../api/refusals.ts';
import { titlesOf } from '../app-files/titles.ts';
import { momentText } from '../backup/rules/backup-texts.ts';
import type { BoxPorts } from '../ports.ts';
import { longestName, note, type Room, type Row, type Section, type ShownAction, warning } from '../report.ts';
import type { Addresses, PublicRoute } from './ports.ts';

/** Public addresses: the tunnel to a gateway, and the apps that are published there. */
export function addressesRoom(box: BoxPorts): Room {
  const { addresses } = box;
  return {
    path: 'addresses',
    title: 'Public addresses',
    waiting: 'Looking at the tunnel. This may take 20 seconds.',
    async read() {
      const shown = await addresses.show();
      if (shown === null) return { sections: [joinSection] };
      const { gateway, boxName, works, handshakeAt, problems, routes } = shown;
      const state = works ? 'The tunnel works.' : 'The tunnel does not work.';
      const since =
        handshakeAt === null ? '' : ` The two ends last agreed on keys ${momentText(new Date(handshakeAt))}.`;
      const text = `This box has joined ${gateway} as ${boxName}. ${state}${since}`;
      return {
        sections: [
          { rows: [{ is: 'text', text }, ...problems.map(warning)], actions: publishAny(box) },
          { rows: routes.length > 0 ? routes.map(routeRow) : [note('No app is published.')] },
        ],
      };
    },
    actions: {
      join: {
        verb: 'join a gateway',
        fields: { gateway: 2048, name: 128, token: 1024 },
        async run({ gateway = '', name = '', token = '' }) {
          if ([gateway, name, token].some((text) => text.trim() === '')) refuse('invalidAddressRequest');
          return addresses.join({ gateway: gateway.trim(), name: name.trim(), token });
        },
      },
      publish: {
        verb: 'publish',
        fields: { app: longestName, subdomain: 63, port: 5, login: 63, allow: 2048, paths: 4096 },
        run: (fields) => publish(addresses, fields),
      },
      withdraw: {
        verb: 'withdraw a public address',
        fields: { host: 253 },
        run: ({ host = '' }) => addresses.withdraw(host),
      },
    },
  };
}

/** The public addresses of one app, and a form that makes another one. */
export async function addressSection({ addresses }: Pick<BoxPorts, 'addresses'>, app: string): Promise<Section> {
  const title = 'Public address';
  const routes = await addresses.ofApp(app);
  if (routes !== null) return { title, rows: routes.map(routeRow), actions: [publishAction({ given: { app } })] };
  const link = { text: 'join a gateway', href: '#/addresses' };
  return { title, rows: [{ ...note('To open the app from outside, first'), link }] };
}

async function publish(addresses: Addresses, fields: Readonly<Record<string, string>>) {
  const of = (name: string) => (fields[name] ?? '').trim();
  const rule = (name: string) => of(name) || null;
  if (of('app') === '' || of('subdomain') === '' || !/^\d*$/.test(of('port'))) refuse('invalidAddressRequest');
  const { password, ...outcome } = await addresses.publish({
    app: fields.app ?? '',
    subdomain: of('subdomain'),
    port: Number(of('port')) || null,
    login: rule('login'),
    allow: rule('allow'),
    openPaths: rule('paths'),
  });
  if (password === '') return outcome;
  const words = 'Nothing keeps the password: write it down now. Publishing again with a login makes a new one.';
  const login = { is: 'text' as const, text: `Name \`${of('login')}\`, password \`${password}\`` };
  return {
    ...outcome,
    shown: { title: 'The login for visitors', rows: [login, { is: 'text' as const, text: words }] },
  };
}

function routeRow({ host, url, app, port, access }: PublicRoute): Row {
  const rules = access === '' ? 'Everybody can open it.' : `For visitors: ${access}.`;
  const withdraw: ShownAction = {
    act: 'addresses/withdraw',
    label: 'Withdraw',
    about: host,
    kind: 'danger',
    doing: `Withdrawing ${host}`,
    given: { host },
    question: {
      title: `Withdraw ${host}?`,
      text: 'Nobody can open it from outside any more. The app itself stays as it is.',
      answer: 'Withdraw',
    },
  };
  const link = url.startsWith('https://') ? { href: url } : {};
  return {
    text: host,
    ...link,
    facts: [`${app === '' ? 'Port' : `${app}, port`} ${port}. ${rules}`],
    actions: [withdraw],
  };
}

function publishAny(box: BoxPorts): ShownAction[] {
  const titles = titlesOf(box);
  const choices = box.apps.all('installed').map(({ name }) => ({ value: name, text: titles.get(name) ?? name }));
  if (choices.length === 0) return [];
  return [publishAction({ fields: [{ name: 'app', label: 'App', type: 'choice', choices }] })];
}

function publishAction({ given = {}, fields = [] }: Pick<ShownAction, 'given' | 'fields'>): ShownAction {
  const folded = 'Who may open it';
  return {
    act: 'addresses/publish',
    label: 'Publish',
    kind: 'primary',
    doing: 'Publishing',
    given,
    fields: [
      ...fields,
      { name: 'subdomain', label: 'Name at the gateway, such as notes', type: 'text' },
      { name: 'login', label: 'Ask visitors for a login of this name; its password is made', type: 'text', folded },
      { name: 'allow', label: 'Let in only these addresses or networks, with commas', type: 'text', folded },
      { name: 'paths', label: 'Paths without login for apps on phones, such as /api/*', type: 'text', folded },
      { name: 'port', label: 'Port, if the app has several', type: 'number', folded },
    ],
    note: 'Without a login, everybody can open what you publish: set a strong password in the app first. A rule that is left empty stays as it was; withdraw the address to end its rules.',
  };
}

const joinSection: Section = {
  rows: [
    {
      is: 'text',
      text: 'To open apps from outside, the box joins a gateway: a server with a public address. Its operator gives you its address and a token.',
    },
  ],
  actions: [
    {
      act: 'addresses/join',
      label: 'Join',
      kind: 'primary',
      doing: 'Joining',
      fields: [
        { name: 'gateway', label: 'Address, such as https://gateway.example.org', type: 'url' },
        { name: 'name', label: 'What the box is called there', type: 'text' },
        { name: 'token', label: 'Token', type: 'password' },
      ],
    },
  ],
};
