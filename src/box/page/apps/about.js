/** The dialog about an app: what it is for, its version, ports and addresses, and what happened to it last. */
import { api } from '../api.js';
import { openDialog } from '../dialogs.js';
import { button, element, newTab } from '../dom.js';
import { localText } from '../local-text.js';
import { stateText } from './app-state.js';
import { onlyOnBoxText, openLinks, portTexts } from './model.js';
/** @import { Outcome } from '../api.js' */
/** @import { App } from './model.js' */
/** @import { Status } from './operations.js' */

/**
 * @param {App} app
 * @param {Status | undefined} status of the latest change that this page asked for
 * @param {(app: App) => void} install
 */
export function openAbout(app, status, install) {
  const room = element('p', { class: 'room', hidden: true });
  const latest = status?.kind === 'running' ? '' : (status?.text ?? '');
  const addresses = [
    ...app.open_urls,
    ...openLinks(app, location.hostname).map(({ href }) => href),
    ...app.public_urls,
  ];
  const facts = [
    ['Version', app.version],
    ['Newer version', app.available_version],
    [
      'Before an update',
      app.available_version === null
        ? ''
        : 'If restic is installed on the box, its settings and data are copied, unless that is switched off. Without a copy, the data of an update that fails stays as the newer version left it.',
    ],
    ['Category', app.category],
    ['Store', app.store],
    ['State', app.state === null ? '' : stateText(app.state, app.state_detail).join('')],
    ['Ports', portTexts(app).join(', ')],
    ['Not from here', onlyOnBoxText(app, location.hostname)],
    ['Latest change', latest],
  ].filter(([, text]) => text);
  const installIt = () => {
    dialog.close();
    install(app);
  };
  const list = element(
    'dl',
    { class: 'facts' },
    ...facts.flatMap(([name, text]) => [element('dt', { text: name ?? '' }), element('dd', { text: text ?? '' })]),
    ...(addresses.length === 0 ? [] : [element('dt', { text: 'Addresses' }), addressList(addresses)]),
  );
  const dialog = openDialog(app.title, [
    ...[app.description, app.description_long === app.description ? '' : app.description_long]
      .filter(Boolean)
      .map((text) => element('p', { class: 'about-text', text })),
    list,
    room,
    element(
      'div',
      { class: 'dialog-buttons' },
      app.kind === 'available' ? button('Install', 'primary', installIt) : null,
      button('Close', 'quiet', () => dialog.close()),
    ),
  ]);
  if (app.kind === 'available') return;
  void api.isConsoleThere().then(async (isThere) => {
    if (!isThere) return;
    const href = `/settings/#/apps/${encodeURIComponent(app.name)}`;
    room.append(element('a', { text: 'Log, data, backups and changes of this app', href }));
    room.hidden = false;
    const use = useText(await api.readUse(), app.name);
    if (use !== '') list.append(element('dt', { text: 'Uses now' }), element('dd', { text: use }));
  });
}

/** @param {Outcome<any>} answer @param {string} name that of the app @returns {string} empty if it is not known */
function useText(answer, name) {
  const rows = answer.kind === 'done' ? (answer.body.sections?.[0]?.rows ?? []) : [];
  const own = rows.find((/** @type {{ text: string }} */ { text }) => text === name);
  return localText((own?.facts ?? []).join('; '));
}

/** @param {string[]} addresses */
function addressList(addresses) {
  const link = (/** @type {string} */ url) =>
    element('a', { text: url.replace(/\/$/, ''), ...newTab(url, 'In a new tab') });
  return element('dd', {}, ...addresses.map((url) => element('div', {}, link(url))));
}
