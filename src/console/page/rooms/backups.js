/** The backups of all apps, and those of one app. */

import { ask } from '../../../box/page/dialogs.js';
import { button, element } from '../../../box/page/dom.js';
import { buttonFor, capitalized, listOf, listRow, sentence, shownTime } from '../visit.js';

/**
 * @typedef {import('../visit.js').Schemas['Backups']} Backups
 * @typedef {import('../visit.js').Schemas['Backup']} Backup
 * @typedef {import('../visit.js').Schemas['BackupWork']} Work
 * @typedef {import('../visit.js').Visit} Visit
 */

/** How many backups of all apps are shown at first. */
const shownAtFirst = 20;
const pollMs = 1500;

/** @type {import('../visit.js').Room} */
export const backupsRoom = {
  path: 'backups',
  title: 'Backups',
  open: (visit) => draw(visit, null),
};

/** @type {import('../visit.js').Room} */
export const appBackupsRoom = {
  path: 'backups/',
  title: 'Backups',
  async open(visit) {
    visit.setTitle(`Backups of ${visit.name}`);
    await draw(visit, visit.name);
  },
};

/**
 * @param {Visit} visit
 * @param {string | null} app `null` for all apps
 */
async function draw(visit, app) {
  /** @type {Backups | null} */
  const shown = await visit.get('backups');
  if (shown === null) return;
  const own = shown.backups.filter((one) => app === null || one.app === app);
  const about = app === null ? [...aboutAll(visit, shown), ...appList(shown)] : aboutApp(visit, app);
  visit.place.replaceChildren(...problems(shown), ...about);
  if (own.length > 0) visit.place.append(...backupList(visit, own));
  else if (shown.problem === null) {
    visit.place.append(element('p', { class: 'note', text: 'There is no backup yet.' }));
  }
  await follow(visit, app);
}

/**
 * While a work is under way, says so, also after a reload; then says how it ended.
 * @param {Visit} visit
 * @param {string | null} app
 * @param {boolean} [isOwn] it was begun here, so its end is news
 */
async function follow(visit, app, isOwn = false) {
  /** @type {{ work: Work | null } | null} */
  const answer = await visit.get('backups/work');
  if (answer === null || answer.work === null) return;
  const { doing, since, result } = answer.work;
  if (result === null) {
    visit.say(`${capitalized(doing)} is under way since ${shownTime(since)}. You may leave this page.`);
    setTimeout(() => void follow(visit, app, true), pollMs);
  } else if (isOwn) {
    const hasFocus = visit.place.contains(document.activeElement);
    visit.say(result.text, result.ok ? 'done' : 'problem');
    await draw(visit, app);
    if (hasFocus) visit.focusTitle();
  }
}

/**
 * Begins a work, and follows it.
 * @param {Visit} visit
 * @param {string | null} app
 */
function begins(visit, app) {
  /** @param {HTMLButtonElement} pressed @param {string} path @param {object} body */
  return async (pressed, path, body) => {
    if (await visit.change(pressed, 'Beginning', path, body)) await follow(visit, app, true);
  };
}

/** @param {Visit} visit @param {Backups} shown */
function aboutAll(visit, { repository, is_scheduled: isOn, ended_at: ended, next_at: next }) {
  const begin = begins(visit, null);
  const make = buttonFor('Back up now', 'all apps', 'primary', (pressed) =>
    begin(pressed, 'backups/make', { app: '' }),
  );
  const check = buttonFor('Check', 'the backups', 'quiet', (pressed) => begin(pressed, 'backups/check', {}));
  const turn = isOn ? 'Switch off' : 'Switch on';
  const schedule = buttonFor(turn, 'backups of every night', isOn ? 'quiet' : 'primary', async (pressed) => {
    if (!(await visit.change(pressed, 'Changing the schedule', 'backups/schedule', { is_on: !isOn }))) return;
    visit.focusTitle();
    await draw(visit, null);
  });
  const nights = [
    isOn ? 'A backup of every app is made each night.' : 'No backups are made at night.',
    ended === null ? 'No night has run yet.' : `The last run ended ${shownTime(ended)}.`,
    ...(next === null ? [] : [`The next one begins ${shownTime(next)}.`]),
  ];
  return [
    listOf([
      listRow('Where they are', [repository], [make, check]),
      listRow('Every night', [nights.join(' ')], [schedule]),
      listRow('The box itself', ['Its settings and the folders of your own apps are copied with all apps.']),
      listRow('The key', ['Whoever loses this box and the key loses the backups.'], [keyButton(visit)]),
    ]),
  ];
}

/** @param {Visit} visit @param {string} app */
function aboutApp(visit, app) {
  const begin = begins(visit, app);
  const make = buttonFor('Back up now', app, 'primary', (pressed) => begin(pressed, 'backups/make', { app }));
  const rehearse = buttonFor('Rehearse', app, 'quiet', (pressed) => begin(pressed, 'backups/rehearse', { app }));
  const text =
    'A backup has the folder, the settings and the volumes of the app. A rehearsal restores the latest one beside the app, sees that it stays up, and removes it again.';
  return [listOf([listRow(app, [text], [make, rehearse])])];
}

/**
 * One sentence for each cause, with the apps that it concerns.
 * @param {Backups} shown
 */
function problems({ problem, run_problem: run, warnings, apps }) {
  const own = Map.groupBy(
    apps.filter((one) => one.problem !== null && one.problem !== run),
    (one) => one.problem,
  );
  const texts = [...own].map(([text, of]) => `${of.map(({ app }) => app).join(', ')}: ${text}`);
  const all = [problem, run, ...texts, ...warnings].filter((text) => text !== null);
  return all.map((text) => element('p', { class: 'warning' }, sentence(text)));
}

/**
 * How old the latest backup of each app is.
 * @param {Backups} shown
 */
function appList({ problem, apps }) {
  if (apps.length === 0 || problem !== null) return [];
  const rows = apps.map(({ app, made_at: made }) => {
    return listRow(app, [made === null ? 'It has no backup.' : `Its latest backup is ${ageText(made)} old.`], []);
  });
  return [listOf(rows)];
}

/** @param {string} made */
function ageText(made) {
  const hours = (Date.now() - Date.parse(made)) / 3_600_000;
  if (hours < 1) return 'less than an hour';
  return hours < 48 ? `${Math.round(hours)} h` : `${Math.round(hours / 24)} days`;
}

/** @param {Visit} visit @param {Backup[]} backups */
function backupList(visit, backups) {
  const list = listOf(backups.slice(0, shownAtFirst).map((one) => backupRow(visit, one)));
  if (backups.length <= shownAtFirst) return [list];
  const more = button(`Show all ${backups.length} backups`, 'quiet', () => {
    list.append(...backups.slice(shownAtFirst).map((one) => backupRow(visit, one)));
    more.remove();
  });
  return [list, more];
}

/** @type {Readonly<Record<string, string>>} */
const reasons = {
  manual: 'by hand',
  schedule: 'at night',
  update: 'before an update',
  remove: 'before a removal',
  restore: 'before a restore',
};

/** @param {Visit} visit @param {Backup} backup */
function backupRow(visit, backup) {
  const { id, app, version, reason, made_at: made, away_seconds: away, is_incomplete: isIncomplete } = backup;
  const texts = [
    `Version ${version}, made ${reasons[reason] ?? reason}.`,
    ...(away === null ? [] : [`The app was away for ${away.toFixed(1)} s.`]),
    ...(isIncomplete ? ['Some files could not be read.'] : []),
  ];
  const moment = shownTime(made);
  const begin = begins(visit, visit.name === '' ? null : visit.name);
  const restore = buttonFor('Restore', `${app}, ${moment}`, 'quiet', async (pressed) => {
    const as = await askToRestore(backup, moment);
    if (as !== null) await begin(pressed, 'backups/restore', { app, id, as });
  });
  return listRow(`${app}, ${moment}`, [texts.join(' ')], [restore]);
}

/**
 * Returns the name of the second app, empty to replace the app, or `null` to do nothing.
 * @param {Backup} backup
 * @param {string} moment
 */
async function askToRestore({ app, version }, moment) {
  const name = element('input', { attributes: { id: 'restore-as', autocomplete: 'off', spellcheck: 'false' } });
  const answer = await ask(
    `Restore ${app} as it was ${moment}?`,
    [
      element('p', {
        text: `Settings and data go back. This also goes back to version ${version}. The present app goes to the trash, and a backup of its data is made first.`,
      }),
      element('label', {
        text: 'To leave the present app as it is, name a second app: ',
        attributes: { for: 'restore-as' },
      }),
      name,
    ],
    [
      { answer: 'restore', text: 'Restore', kind: 'danger' },
      { answer: 'cancel', text: 'Cancel', kind: 'quiet' },
    ],
  );
  return answer === 'restore' ? name.value.trim() : null;
}

/** @param {Visit} visit */
function keyButton(visit) {
  return buttonFor('Show the key', 'of the backups', 'quiet', async () => {
    const question = [
      element('p', { text: 'Whoever has the key can read the backups. Is nobody looking over your shoulder?' }),
    ];
    const answer = await ask('Show the key?', question, [
      { answer: 'show', text: 'Show it', kind: 'primary' },
      { answer: 'cancel', text: 'Cancel', kind: 'quiet' },
    ]);
    if (answer !== 'show') return;
    const key = await visit.read('backups/key');
    if (key === null) return;
    const words = 'Keep a copy in another place, such as a password manager or on paper.';
    const shown = element('p', {}, element('code', { text: key.key }));
    await ask(
      'The key of the backups',
      [shown, element('p', { text: words })],
      [{ answer: 'close', text: 'Close', kind: 'quiet' }],
    );
  });
}
