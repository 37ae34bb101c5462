/** The room of one app. Each section is a function, which draws into its own place. */

import { ask } from '../../../box/page/dialogs.js';
import { button, element, setText } from '../../../box/page/dom.js';
import { buttonFor, listOf, listRow, shownTime, sizeText } from '../visit.js';
import { publishForm, routeList } from './addresses.js';
import { logSection } from './app-log.js';
import { dockerNotice, stateLine } from './apps.js';

/** @typedef {import('../visit.js').Visit} Visit */
/** @typedef {import('../visit.js').Schemas['OneApp']} OneApp */

const followMs = 1500;

/** @type {import('../visit.js').Room} */
export const appRoom = {
  path: 'apps/',
  title: 'App',
  async open(visit) {
    /** @type {OneApp | null} */
    const app = await visit.get(apiOf(visit));
    if (app === null) return;
    visit.setTitle(app.title);
    const top = element('div');
    drawTop(visit, app, top);
    visit.place.replaceChildren(top);
    if (app.docker_problem === '') visit.place.append(logSection(visit));
    // A section that is slow to read draws itself later; none waits for another.
    visit.place.append(
      dataSection(visit, app),
      undoSection(visit, top),
      keptFilesSection(visit),
      backupsLink(app),
      addressSection(visit),
    );
  },
};

/** @param {Visit} visit */
function apiOf(visit) {
  return `apps/${encodeURIComponent(visit.name)}`;
}

/**
 * The state, the containers and the latest changes.
 * @param {Visit} visit
 * @param {OneApp} app
 * @param {HTMLElement} place
 */
function drawTop(visit, app, place) {
  const restart = button('Restart', 'primary', async () => {
    if (await visit.change(restart, `Restarting ${app.title}`, `${apiOf(visit)}/restart`, {}))
      await drawAgain(visit, place);
  });
  const known = app.docker_problem === '' ? element('p', {}, stateLine(app)) : dockerNotice(app.docker_problem);
  const containers = app.containers.map((one) => {
    const since = one.started_at === null ? '' : `, started ${shownTime(one.started_at)}`;
    return listRow(one.name, [`${one.health ?? one.state}${since}. Image ${one.image}.`]);
  });
  const changes = app.changes.map(({ at, operation, by, outcome, detail }) => {
    const who = by === '' ? '' : ` ${by}`;
    return listRow(`${operation}: ${outcome}`, [`${shownTime(at)}${who}.`, ...(detail === '' ? [] : [detail])]);
  });
  const note = element('p', { class: 'note', text: noteText(app) });
  const redraw = () => drawAgain(visit, place);
  const state = app.disk_problem === '' ? [known] : missingDisk(visit, app.name, app.disk_problem, redraw);
  place.replaceChildren(
    ...state,
    note,
    element('div', { class: 'row-buttons' }, restart),
    ...app.addresses.map((url) =>
      element('p', {}, element('a', { text: url, attributes: { href: url, rel: 'noreferrer' } })),
    ),
    element('h3', { text: 'Containers' }),
    containers.length > 0 ? listOf(containers) : element('p', { class: 'note', text: 'None.' }),
    element('h3', { text: 'Latest changes' }),
    changes.length > 0 ? listOf(changes) : element('p', { class: 'note', text: 'None is known yet.' }),
  );
  if (app.operation !== '') setTimeout(() => void followChange(visit, place, note), followMs);
}

/** @param {OneApp} app */
function noteText({ version, operation }) {
  const underWay = operation === '' ? '' : `A change is under way: ${operation.replaceAll('_', ' ')}.`;
  return `${version === null ? '' : `Version ${version}. `}${underWay}`;
}

/**
 * Says the step of a change until it ends, then draws the result.
 * @param {Visit} visit
 * @param {HTMLElement} place
 * @param {HTMLElement} note
 */
async function followChange(visit, place, note) {
  if (!note.isConnected) return;
  /** @type {OneApp | null} */
  const app = await visit.get(apiOf(visit));
  if (app === null || !note.isConnected) return;
  if (app.operation !== '') {
    setText(note, noteText(app));
    setTimeout(() => void followChange(visit, place, note), followMs);
    return;
  }
  const hasFocus = place.contains(document.activeElement);
  drawTop(visit, app, place);
  if (hasFocus) visit.focusTitle();
}

/**
 * A warning that the app is not started, and the button that starts it with the folders that there are.
 * @param {Visit} visit
 * @param {string} name
 * @param {string} problem
 * @param {() => Promise<void>} redraw
 */
export function missingDisk(visit, name, problem, redraw) {
  const accept = buttonFor('Accept the disk', name, 'danger', async (pressed) => {
    const text = 'If its disk is only not mounted, the app begins anew in an empty folder, and does not see its data.';
    const answer = await ask(
      `Start ${name} with its folders as they are?`,
      [element('p', { text })],
      [
        { answer: 'accept', text: 'Start it', kind: 'danger' },
        { answer: 'cancel', text: 'Cancel', kind: 'quiet' },
      ],
    );
    if (answer !== 'accept') return;
    const path = `apps/${encodeURIComponent(name)}/accept-disks`;
    if (await visit.change(pressed, `Starting ${name}`, path, {})) await redraw();
  });
  const [what = ''] = problem.split(';', 1);
  return [
    element('p', { class: 'warning', text: `Not started: ${what}. Mount the disk, and it starts within a minute.` }),
    element('div', { class: 'row-buttons' }, accept),
  ];
}

/**
 * @param {Visit} visit
 * @param {HTMLElement} place
 */
async function drawAgain(visit, place) {
  visit.focusTitle();
  /** @type {OneApp | null} */
  const app = await visit.get(apiOf(visit));
  if (app !== null) drawTop(visit, app, place);
}

/**
 * What the app uses now. It is measured when the owner asks, because that takes seconds.
 * @param {Visit} visit
 * @param {OneApp} app
 */
function dataSection(visit, app) {
  const found = element('div');
  const measure = button('Measure', 'quiet', async () => {
    measure.setAttribute('aria-disabled', 'true');
    visit.say('Measuring…');
    /** @type {import('../visit.js').Schemas['AppMeasures'] | null} */
    const seen = await visit.get(`${apiOf(visit)}/measures`);
    measure.removeAttribute('aria-disabled');
    if (seen === null) return;
    visit.say('Measured.', 'done');
    const usage = seen.usage.map((one) =>
      listRow(one.container, [`${one.processor_percent} % of one processor, ${sizeText(one.memory_bytes)} of memory.`]),
    );
    const data = seen.data.map((one) =>
      listRow(one.kind === 'volume' ? `Volume ${one.name}` : one.path, [
        `${one.is_whole ? '' : 'More than '}${sizeText(one.bytes)}${one.kind === 'app folder' ? ', the folder of the app' : ''}.`,
      ]),
    );
    const problems = seen.problems.map((text) => element('p', { class: 'warning', text }));
    found.replaceChildren(...problems, listOf([...usage, ...data]));
  });
  const about = `Memory and processor of ${app.title} now, and the space of its folders and volumes.`;
  return element(
    'section',
    {},
    element('h3', { text: 'Use and data' }),
    element('p', { class: 'note', text: about }),
    element('div', { class: 'row-buttons' }, measure),
    found,
  );
}

/**
 * @param {Visit} visit
 * @param {HTMLElement} top
 */
function undoSection(visit, top) {
  const undo = button('Undo the latest settings', 'quiet', async () => {
    /** @type {{ changes: import('../visit.js').Schemas['SettingChange'][] } | null} */
    const found = await visit.get(`${apiOf(visit)}/undo`);
    if (found === null) return;
    if (found.changes.length === 0) return visit.say('There is nothing to undo.');
    const rows = found.changes.map(({ key, present, previous }) =>
      listRow(key, [`${present ?? 'not set'} → ${previous ?? 'not set'}`]),
    );
    const answer = await ask(
      'Undo the latest settings?',
      [
        element('p', { text: 'The app is started with the earlier values. A second undo brings these back.' }),
        listOf(rows),
      ],
      [
        { answer: 'undo', text: 'Undo', kind: 'danger' },
        { answer: 'cancel', text: 'Cancel', kind: 'quiet' },
      ],
    );
    if (answer !== 'undo') return;
    if (await visit.change(undo, 'Undoing the settings', `${apiOf(visit)}/undo`, {})) await drawAgain(visit, top);
  });
  return element('section', {}, element('h3', { text: 'Settings' }), element('div', { class: 'row-buttons' }, undo));
}

/** @param {Visit} visit */
function keptFilesSection(visit) {
  const place = element('section');
  const draw = async () => {
    /** @type {{ files: import('../visit.js').Schemas['KeptFile'][] } | null} */
    const kept = await visit.get(`${apiOf(visit)}/kept-files`);
    if (kept === null || kept.files.length === 0) return;
    const rows = kept.files.map(({ kept: name, file, difference, is_whole: isWhole }) =>
      element(
        'details',
        {},
        element('summary', { text: `${name}: yours; ${file} is the new one` }),
        element('pre', { text: difference === null ? 'The files are no text or too large to compare.' : difference }),
        isWhole ? null : element('p', { class: 'note', text: 'The difference is longer than this.' }),
      ),
    );
    place.append(element('h3', { text: 'Kept files' }), ...rows);
  };
  void draw();
  return place;
}

/** @param {OneApp} app */
function backupsLink({ name, title }) {
  const link = element('a', {
    text: `Backups of ${title}`,
    attributes: { href: `#/backups/${encodeURIComponent(name)}` },
  });
  return element('section', {}, element('h3', { text: 'Backups' }), element('p', {}, link));
}

/** @param {Visit} visit */
function addressSection(visit) {
  const place = element('div');
  const draw = async () => {
    /** @type {{ is_joined: boolean, routes: import('../visit.js').Schemas['PublicRoute'][] } | null} */
    const known = await visit.get(`${apiOf(visit)}/addresses`);
    if (known === null) return;
    if (!known.is_joined) {
      const link = element('a', { text: 'join a gateway', attributes: { href: '#/addresses' } });
      place.replaceChildren(element('p', { class: 'note' }, 'To open the app from outside, ', link, ' first.'));
      return;
    }
    const drawn = async () => {
      visit.focusTitle();
      await draw();
    };
    const routes = known.routes.length > 0 ? [routeList(visit, known.routes, drawn)] : [];
    place.replaceChildren(
      ...routes,
      publishForm(visit, () => visit.name, drawn),
    );
  };
  void draw();
  return element('section', {}, element('h3', { text: 'Public address' }), place);
}
