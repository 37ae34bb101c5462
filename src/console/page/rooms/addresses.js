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
    visit.place.replaceChildren(...stateOfTunnel(tunnel), ...publishForm(visit, rooms));
    const routes = tunnel.routes.map((route) => routeRow(visit, route));
    if (routes.length > 0) visit.place.append(listOf(routes));
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
 * @param {Visit} visit
 * @param {Tunnel['routes'][number]} route
 */
function routeRow(visit, { host, url, app, port }) {
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
  return listRow(title, [app === '' ? `Port ${port}.` : `${app}, port ${port}.`], [withdraw]);
}

/** @param {Visit} visit @param {import('./apps.js').Rooms} rooms */
function publishForm(visit, { apps }) {
  if (apps.length === 0) return [];
  const app = element(
    'select',
    { attributes: { id: 'publish-app' } },
    ...apps.map(({ name, title }) => element('option', { text: title, attributes: { value: name } })),
  );
  const name = field('publish-name', 'text');
  const publish = button('Publish', 'primary', async () => {
    const body = { app: app.value, subdomain: name.value.trim() };
    if (await visit.change(publish, `Publishing ${app.value}`, 'addresses/publish', body)) await redraw(visit);
  });
  const caution = 'Everybody can open what you publish. Set a strong password in the app first.';
  return [
    form(publish, [labelFor(app, 'App'), app, labelFor(name, 'Name at the gateway, such as notes'), name], caution),
  ];
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
