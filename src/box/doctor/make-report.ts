import { shownName, shownText } from '../../lib/shown-text.ts';
import { makeMask } from '../app-files/secrets.ts';
import { findingLines } from '../rules/findings/finding.ts';
import { type DoctorBox, shownFindings } from './doctor.ts';
import { maskReport } from './rules/mask-report.ts';

const units = ['boxgate-box', 'boxgate-console', 'boxgate-backup', 'boxgate-update', 'boxgate-tunnel'];
const journal = ['journalctl', '--no-pager', '--no-hostname', '--output=short-iso', '--lines=100'];
const isEmpty = /^-- No entries --$/;
const mostLine = 500;
const mostReport = 128 * 1024;

/**
 * Everything that somebody needs who is to help: findings, versions, names of settings, apps, and the end of the
 * journal. Without secrets, public addresses, and the names under which the box is reached.
 */
export async function makeReport(box: DoctorBox): Promise<string> {
  const { machine } = box;
  const sections: [string, string][] = [
    ['doctor', findingLines(await shownFindings(box)).join('\n')],
    ['versions', [`boxgate ${box.selfUpdate.version}`, `Node.js ${process.version}`, machine.system()].join('\n')],
    ['settings that are set', machine.settings().join('\n')],
    ['apps', appLines(box).join('\n') || 'none'],
  ];
  for (const unit of units) {
    const { out } = await machine.run([...journal, '-u', unit]);
    if (out !== '' && !isEmpty.test(out)) sections.push([`journal of ${unit}`, out]);
  }
  const mask = makeMask(box);
  const texts = sections.map(([title, text]) => `## ${title}\n\n${boundedLines(mask(text))}\n`);
  const published = [...box.addresses.urls().values()].flat().map((url) => new URL(url).host);
  const report = `# Report of a box, ${box.now().toISOString()}\n\n${texts.join('\n')}`;
  return shownText(maskReport(report, [...box.names, ...published])).slice(0, mostReport);
}

function appLines(box: DoctorBox): string[] {
  const apps = box.apps.all('installed');
  const states = box.states.of(apps);
  return apps.map(({ name, manifest }) => {
    const { state = 'unknown', state_detail: detail = '' } = states.get(name) ?? {};
    return `${shownName(name)} ${manifest?.version ?? ''}: ${state}. ${detail}`;
  });
}

function boundedLines(text: string): string {
  const lines = text.split('\n').map((line) => line.slice(0, mostLine));
  return lines.join('\n');
}
