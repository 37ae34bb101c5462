/** Public addresses: the tunnel to a gateway, and the apps that are published there. */

import { ask } from '../../../box/page/dialogs.js';
import { button, element } from '../../../box/page/dom.js';
import { buttonFor, listOf, listRow, sentence, shownTime } from '../visit.js';

/**
 * @typedef {import('../visit.js').Schemas['Tunnel']} Tunnel
 * @typedef {import('../visit.js').Visit} Visit
 */

/** @type {import('../visit.js').Room} */
export const addressesRoom = {
  path: 'addresses',
  title: 'Public addresses',
  async open(visit) {
    visit.place.replaceChildren(
      element('p', { class: 'note', text: 'Looking at the tunnel. This may take 20 seconds.' }),
    );
    /** @type {[Tunnel | null, import('./apps.js').Rooms | null]} */
    const [tunnel, rooms] = await Promise.all([visit.get('addresses'), visit.get('apps')]);
    if (tunnel === null || rooms === null) return visit.place.replaceChildren();
    if (!tunnel.is_joined) return visit.place.replaceChildren(...joinForm(visit));
    visit.place.replaceChildren(...stateOfTunnel(tunnel), ...publishAny(visit, rooms));
    if (tunnel.routes.length > 0) visit.place.append(routeList(visit, tunnel.routes, redraw));
    else visit.place.append(element('p', { class: 'note', text: 'No app is published.' }));
  },
};

/** @param {Visit} visit */
async function redraw(visit) {
  visit.focusTitle();
  await addressesRoom.open(visit);
}

/** @param {Tunnel} tunnel */
function stateOfTunnel({ gateway, box_name: name, works, handshake_at: handshake, problems }) {
  const since = handshake === null ? '' : ` The two ends last agreed on keys ${shownTime(handshake)}.`;
  const state = works ? 'The tunnel works.' : 'The tunnel does not work.';
  return [
    element('p', { text: `This box has joined ${gateway} as ${name}. ${state}${since}` }),
    ...problems.map((text) => element('p', { class: 'warning' }, sentence(text))),
  ];
}

/**
 * The published names, with a button that withdraws each.
 * @param {Visit} visit
 * @param {Tunnel['routes']} routes
 * @param {(visit: Visit) => Promise<void>} redraw
 */
export function routeList(visit, routes, redraw) {
  return listOf(routes.map((route) => routeRow(visit, route, redraw)));
}

/**
 * @param {Visit} visit
 * @param {Tunnel['routes'][number]} route
 * @param {(visit: Visit) => Promise<void>} redraw
 */
function routeRow(visit, { host, url, app, port, access }, redraw) {
  const withdraw = buttonFor('Withdraw', host, 'danger', async (pressed) => {
    const question = [
      element('p', { text: 'Nobody can open it from outside any more. The app itself stays as it is.' }),
    ];
    const answer = await ask(`Withdraw ${host}?`, question, [
      { answer: 'withdraw', text: 'Withdraw', kind: 'danger' },
      { answer: 'cancel', text: 'Cancel', kind: 'quiet' },
    ]);
    if (answer !== 'withdraw') return;
    if (await visit.change(pressed, `Withdrawing ${host}`, 'addresses/withdraw', { host })) await redraw(visit);
  });
  const isWeb = url.startsWith('https://');
  const title = isWeb ? element('a', { text: host, attributes: { href: url, rel: 'noreferrer' } }) : host;
  const rules = access === '' ? 'Everybody can open it.' : `For visitors: ${access}.`;
  return listRow(title, [`${app === '' ? 'Port' : `${app}, port`} ${port}. ${rules}`], [withdraw]);
}

/** @param {Visit} visit @param {import('./apps.js').Rooms} rooms */
function publishAny(visit, { apps }) {
  if (apps.length === 0) return [];
  const app = element(
    'select',
    { attributes: { id: 'publish-app' } },
    ...apps.map(({ name, title }) => element('option', { text: title, attributes: { value: name } })),
  );
  return [publishForm(visit, () => app.value, redraw, [labelFor(app, 'App'), app])];
}

/**
 * @param {Visit} visit
 * @param {() => string} appOf the name of the app
 * @param {(visit: Visit) => Promise<void>} redraw
 * @param {HTMLElement[]} [first] fields before the others
 */
export function publishForm(visit, appOf, redraw, first = []) {
  const name = field('publish-name', 'text');
  const port = field('publish-port', 'number');
  const login = field('publish-login', 'text');
  const allow = field('publish-allow', 'text');
  const open = field('publish-open', 'text');
  const publish = button('Publish', 'primary', async () => {
    const rules = { login: login.value.trim(), allow: allow.value.trim(), open_paths: open.value.trim() };
    const body = { app: appOf(), subdomain: name.value.trim(), port: Number(port.value), ...rules };
    const done = await visit.change(publish, `Publishing ${body.app}`, 'addresses/publish', body);
    if (done === null) return;
    if (done.password !== '') await showLogin(body.login, done.password);
    await redraw(visit);
  });
  const who = element(
    'details',
    {},
    element('summary', { text: 'Who may open it' }),
    ...[labelFor(login, 'Ask visitors for a login of this name; its password is made'), login],
    ...[labelFor(allow, 'Let in only these addresses or networks, with commas'), allow],
    ...[labelFor(open, 'Paths without login for apps on phones, such as /api/*'), open],
    ...[labelFor(port, 'Port, if the app has several'), port],
    element('p', { class: 'note', text: 'Left empty, a rule of before stays. Withdraw the address to end its rules.' }),
  );
  const caution = 'Without a login, everybody can open what you publish: set a strong password in the app first.';
  return form(publish, [...first, labelFor(name, 'Name at the gateway, such as notes'), name, who], caution);
}

/** @param {string} login @param {string} password */
async function showLogin(login, password) {
  const shown = element('p', {}, 'Name ', element('code', { text: login }), ', password ');
  shown.append(element('code', { text: password }));
  const words = 'Nothing keeps the password: write it down now. Publishing again with a login makes a new one.';
  await ask(
    'The login for visitors',
    [shown, element('p', { text: words })],
    [{ answer: 'close', text: 'I have it', kind: 'primary' }],
  );
}

/** @param {Visit} visit */
function joinForm(visit) {
  const gateway = field('join-gateway', 'url');
  const name = field('join-name', 'text');
  const token = field('join-token', 'password');
  const join = button('Join', 'primary', async () => {
    const body = { gateway: gateway.value.trim(), name: name.value.trim(), token: token.value };
    const isDone = await visit.change(join, 'Joining', 'addresses/join', body);
    if (isDone) await redraw(visit);
  });
  const what =
    'To open apps from outside, the box joins a gateway: a server with a public address. Its operator gives you its address and a token.';
  return [
    element('p', { text: what }),
    form(join, [
      ...[labelFor(gateway, 'Address, such as https://gateway.example.org'), gateway],
      ...[labelFor(name, 'What the box is called there'), name],
      ...[labelFor(token, 'Token'), token],
    ]),
  ];
}

/**
 * @param {HTMLButtonElement} submit
 * @param {HTMLElement[]} fields
 * @param {string} [caution]
 */
function form(submit, fields, caution = '') {
  const note = caution === '' ? null : element('p', { class: 'note', text: caution });
  const made = element('form', { class: 'fields' }, ...fields, note, element('div', { class: 'row-buttons' }, submit));
  made.addEventListener('submit', (event) => {
    event.preventDefault();
    submit.click();
  });
  return made;
}

/** @param {string} id @param {string} type */
function field(id, type) {
  return element('input', { attributes: { id, type, autocomplete: 'off', spellcheck: 'false' } });
}

/** @param {HTMLElement} target @param {string} text */
function labelFor({ id }, text) {
  return element('label', { text, attributes: { for: id } });
}
