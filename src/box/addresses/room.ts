import { ignore } from '../../lib/ignore.ts';
import { shownName } from '../../lib/shown-text.ts';
import { refuse } from '../api/refusals.ts';
import { titlesOf } from '../app-files/catalogue.ts';
import type { EngineBox } from '../engine/ports.ts';
import {
  longestName,
  note,
  type Outcome,
  type Room,
  type Row,
  type Section,
  type ShownAction,
  warning,
} from '../report.ts';
import { momentText } from '../rules/text/amounts.ts';
import { type AddressPorts, TunnelProblem } from './ports.ts';
import { shownAccess } from './rules/route-access.ts';
import { examineTunnel, problemsOf } from './status.ts';

/** Loaded for a change only: reading the room needs none of it. */
async function changes() {
  const [values, places, publishing, registration] = await Promise.all([
    import('./rules/given-values.ts'),
    import('./place-of-app.ts'),
    import('./publish.ts'),
    import('./registration.ts'),
  ]);
  return { ...values, ...places, ...publishing, ...registration };
}

const startCommand = 'sudo systemctl enable --now boxgate-tunnel.service boxgate-heartbeat.timer';

type Fields = Readonly<Record<string, string>>;

/** Public addresses: the tunnel to a gateway, and the apps that are published there. */
export function addressesRoom(box: EngineBox): Room {
  return {
    path: 'addresses',
    title: 'Public addresses',
    group: 'network',
    waiting: 'Looking at the tunnel. This may take 20 seconds.',
    read: () => orRefuse(async () => ({ sections: await sectionsOf(box) })),
    actions: {
      join: {
        verb: 'join a gateway',
        fields: { gateway: 2048, name: 128, token: 1024 },
        run: async (fields) => joinAndStart(box, fields),
      },
      publish: {
        verb: 'publish',
        fields: { app: longestName, subdomain: 63, port: 5, login: 63, allow: 2048, paths: 4096 },
        run: async (fields) => publishAsked(box, fields),
      },
      withdraw: {
        verb: 'withdraw a public address',
        fields: { host: 253 },
        run: ({ host = '' }) =>
          changed(box, async (ports) => {
            const { unpublish } = await changes();
            await unpublish(ports, host);
            return { ok: true, text: `${host} is not published any more` };
          }),
      },
    },
  };
}

async function sectionsOf(box: EngineBox): Promise<Section[]> {
  const ports = box.addresses.tunnel;
  if (ports.files.read() === null) return [joinSection];
  const { status, routes } = await examineTunnel(ports);
  const { gateway, box_name: name, tunnel_problem: own, problem, handshake_at: at } = status;
  const state = own === null && problem === null ? 'The tunnel works.' : 'The tunnel does not work.';
  const since = at === null ? '' : ` The two ends last agreed on keys ${momentText(new Date(at))}.`;
  const text = shownName(`This box has joined ${gateway} as ${name}. ${state}${since}`);
  const known = routes ?? ports.files.openPorts.read().map((row) => ({ ...row, app_name: '' }));
  const problems = problemsOf(status, own);
  return [
    { rows: [{ is: 'text', text }, ...problems.map(warning)], actions: publishAny(box) },
    { rows: known.length > 0 ? known.map(routeRow) : [note('No app is published.')] },
  ];
}

/** The public addresses of one app, as this box knows them, and a form that makes another one. */
export async function addressSection(box: Pick<EngineBox, 'addresses' | 'apps'>, app: string): Promise<Section> {
  const title = 'Public address';
  try {
    return { title, ...(await addressesOf(box, app)) };
  } catch (error) {
    // The rest of the app's room is shown all the same.
    return { title, rows: [warning(shownName((error as Error).message))] };
  }
}

async function addressesOf(box: Pick<EngineBox, 'addresses' | 'apps'>, app: string): Promise<Section> {
  const { files, appDirectories } = box.addresses.tunnel;
  if (files.read() === null) {
    const link = { text: 'join a gateway', href: '#/addresses' };
    return { rows: [{ ...note('To open the app from outside, first'), link }] };
  }
  const directory = box.apps.one('installed', app)?.path ?? '';
  const rows = files.openPorts
    .read()
    .filter(({ isClosed, appDirectory }) => !isClosed && appDirectories.isSame(appDirectory, directory))
    .map((row) => routeRow({ ...row, app_name: app }));
  return { rows, actions: [publishAction({ given: { app } })] };
}

function joinAndStart(box: EngineBox, { gateway = '', name = '', token = '' }: Fields): Promise<Outcome> {
  if ([gateway, name, token].some((text) => text.trim() === '')) refuse('invalidAddressRequest');
  return changed(box, async (ports) => {
    const { gatewayUrl, join } = await changes();
    const url = gatewayUrl(gateway.trim());
    const { boxId } = await join(ports, { gateway: url, boxName: name.trim(), registrationToken: token });
    const text = `this box has joined ${url} as ${boxId}`;
    const failed = { ok: false, text: `${text}, but the tunnel does not start; run: ${startCommand}` };
    return ports.wireGuard
      .bringUp()
      .then(() => ({ ok: true, text }))
      .catch(ignore(TunnelProblem, () => failed));
  });
}

/** Publishes an app as the form says. Fields that are left empty change nothing. */
function publishAsked(box: EngineBox, fields: Fields): Promise<Outcome> {
  const of = (name: string) => (fields[name] ?? '').trim();
  const [app, subdomain, port] = [of('app'), of('subdomain'), of('port')];
  if (app === '' || subdomain === '' || !/^\d*$/.test(port) || Number(port) > 65535) refuse('invalidAddressRequest');
  const rule = <Value>(name: string, parse: (text: string) => Value) => (of(name) === '' ? null : parse(of(name)));
  return changed(box, async (ports) => {
    const { loginName, networks, openPaths, placeOfApp, publish } = await changes();
    const access = {
      login: rule('login', loginName),
      allow: rule('allow', (text) => networks([text])),
      openPaths: rule('paths', (text) => openPaths([text])),
    };
    const place = await placeOfApp(box, app, Number(port) || null, ports.warn);
    const done = await publish(ports, { app, subdomain, proxy: null, ...place, ...access });
    const { url, proxy_problem: problem, password } = done;
    const answers = problem === null ? 'and answers' : `but does not answer yet: ${problem}`;
    const outcome = { ok: problem === null, text: `${app} is published at ${url} ${answers}` };
    return password === undefined ? outcome : { ...outcome, shown: loginSection(`${access.login}`, password) };
  });
}

function loginSection(login: string, password: string): Section {
  const words = 'Nothing keeps the password: write it down now. Publishing again with a login makes a new one.';
  const texts = [`Name \`${login}\`, password \`${password}\``, words];
  return { title: 'The login for visitors', rows: texts.map((text) => ({ is: 'text', text })) };
}

/** Carries out a change that the owner asked for. Its warnings become lines of its text. */
function changed({ addresses }: Pick<EngineBox, 'addresses'>, run: (ports: AddressPorts) => Promise<Outcome>) {
  return orRefuse(async () => {
    const warnings: string[] = [];
    const done = await run({ ...addresses.tunnel, warn: (text) => warnings.push(text) });
    return { ...done, text: [done.text, ...warnings].map(shownName).join('\n') };
  });
}

async function orRefuse<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    refuse('tunnelFailed', { reason: shownName((error as Error).message) });
  }
}

type Listed = { host: string; port: number; app_name: string; access?: unknown };

/** The name of the app is empty if the gateway did not answer. */
function routeRow({ host: name, port, app_name: app, access }: Listed): Row {
  const host = shownName(name);
  const shown = shownName(shownAccess(access));
  const rules = shown === '' ? 'Everybody can open it.' : `For visitors: ${shown}.`;
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
  const facts = [`${app === '' ? 'Port' : `${shownName(app)}, port`} ${port}. ${rules}`];
  return { text: host, href: `https://${host}`, facts, actions: [withdraw] };
}

function publishAny(box: EngineBox): ShownAction[] {
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
