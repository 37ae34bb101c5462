/** This box: what is wrong with it, what to do, and a report for somebody who helps. */

import { button, element } from '../../../box/page/dom.js';
import { capitalized, listOf, listRow, sentence } from '../visit.js';

/** @typedef {import('../visit.js').Schemas['Finding']} Finding */

const verdicts = {
  problem: { sign: '!', word: 'Problem', state: 'unhealthy' },
  unknown: { sign: '?', word: 'Unknown', state: 'unknown' },
  off: { sign: '–', word: 'Off', state: 'unknown' },
  ok: { sign: '✓', word: 'Right', state: 'running' },
};
const worstFirst = /** @type {const} */ (['problem', 'unknown', 'off', 'ok']);

/** The room in which an owner changes what a finding is about. @type {Readonly<Record<string, [string, string]>>} */
const placesToGo = {
  app: ['Apps', ''],
  apps: ['Apps', ''],
  backups: ['Backups', 'backups'],
  disk: ['Space', 'space'],
  mounts: ['Space', 'space'],
  'names with HTTPS': ['Names at home', 'names'],
  notifications: ['Notifications', 'notifications'],
  'public addresses': ['Public addresses', 'addresses'],
};

/** @type {import('../visit.js').Room} */
export const doctorRoom = {
  path: 'box',
  title: 'This box',
  async open(visit) {
    visit.place.replaceChildren(
      element('p', { class: 'note', text: 'Looking at the box. This may take ten seconds…' }),
    );
    /** @type {{ findings: Finding[] } | null} */
    const seen = await visit.get('doctor');
    if (seen === null) return;
    const again = button('Look again', 'quiet', async () => {
      visit.focusTitle();
      await doctorRoom.open(visit);
    });
    const reportPlace = element('div');
    const report = button('Make a report', 'quiet', () => showReport(visit, reportPlace));
    const about =
      'A report has all of this, versions and the end of the journal, to send to somebody who helps. It has no passwords, no tokens and no public addresses; read it before you send it.';
    visit.place.replaceChildren(
      summaryOf(seen.findings),
      listOf(worstFirst.flatMap((one) => seen.findings.filter(({ verdict }) => verdict === one)).map(findingRow)),
      element('div', { class: 'row-buttons' }, again, report),
      element('p', { class: 'note', text: about }),
      reportPlace,
    );
  },
};

/** @param {Finding[]} findings */
function summaryOf(findings) {
  const count = findings.filter(({ verdict }) => verdict === 'problem').length;
  if (count === 0) return element('p', { text: 'Nothing is wrong.' });
  return element('p', { class: 'warning', text: count === 1 ? 'One thing is wrong.' : `${count} things are wrong.` });
}

/** @param {Finding} finding */
function findingRow({ about, verdict, text }) {
  const { sign, word, state } = verdicts[verdict];
  const mark = element('span', { class: 'sign', text: sign, attributes: { 'aria-hidden': 'true' } });
  const verdictText = element('span', { class: `app-state ${state}` }, mark, ' ', element('strong', { text: word }));
  const [title, room] = (verdict === 'ok' ? undefined : placesToGo[about]) ?? [];
  const link = title === undefined ? [] : [element('a', { text: `Open ${title}`, attributes: { href: `#/${room}` } })];
  return listRow(capitalized(about), [verdictText, sentence(text), ...link]);
}

/**
 * @param {import('../visit.js').Visit} visit
 * @param {HTMLElement} place
 */
async function showReport(visit, place) {
  visit.say('Making the report…');
  /** @type {{ text: string } | null} */
  const made = await visit.get('report');
  if (made === null) return;
  const text = element('textarea', {
    attributes: { id: 'report', rows: '16', readonly: '', spellcheck: 'false' },
  });
  text.value = made.text;
  const link = element('a', {
    text: 'Download it',
    attributes: {
      href: URL.createObjectURL(new Blob([made.text], { type: 'text/plain' })),
      download: 'boxgate-report.txt',
    },
  });
  place.replaceChildren(
    element('label', { text: 'Report', attributes: { for: 'report' } }),
    text,
    element('p', {}, link),
  );
  visit.say('The report is below.', 'done');
  text.focus();
}
