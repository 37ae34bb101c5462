import { shownName } from '../../lib/shown-text.ts';
import { note, type Report, type Room, type Row, type Section, type ShownAction, warning } from '../report.ts';
import { parseManifest, type Setting } from '../rules/manifest/manifest.ts';
import type { Checked } from './own-apps.ts';
import type { OwnAppsBox } from './ports.ts';

const what =
  'Paste the Compose file of an app (compose.yaml, docker-compose.yml). It is checked first, and you read what it may do on this machine. Nothing of it runs until you install it.';
const trust = 'An app can be as good as root on this machine: keep only a file whose author you trust.';

const mostCharacters = 1024 * 1024;

export function ownAppsRoom(box: OwnAppsBox): Room {
  return {
    path: 'own',
    title: 'An app from a Compose file',
    group: 'apps',
    async read(): Promise<Report> {
      const rows = box.ownApps.list().map((name) => ownRow(box, name));
      const own: Section[] = rows.length === 0 ? [] : [{ title: 'Apps from your Compose files', rows }];
      return {
        sections: [{ rows: [{ is: 'text', text: what }, warning(trust)], actions: [checking] }, ...own],
      };
    },
    actions: {
      check: {
        verb: null,
        fields: { title: mostCharacters, text: mostCharacters },
        needed: ['title', 'text'],
        async run({ title = '', text = '' }) {
          const { checkPaste } = await import('./own-apps.ts');
          const checked = await checkPaste(box, { title, text, page: '' });
          const shown = shownCheck(checked, { title, text });
          return { ok: true, text: 'The file was checked. Nothing of it runs yet.', shown };
        },
      },
      keep: {
        verb: 'keep an own app',
        fields: { title: mostCharacters, text: mostCharacters, page: 5, digest: 64 },
        needed: ['title', 'text', 'digest'],
        subject: 'title',
        async run({ title = '', text = '', page = '', digest = '' }) {
          const { keepPaste } = await import('./own-apps.ts');
          const { isNewer } = await keepPaste(box, { title, text, page, digest });
          const where = isNewer ? 'Its newer version is' : 'It is';
          return { ok: true, text: `${title.trim()} is kept. ${where} offered on the page Apps now.` };
        },
      },
      remove: {
        verb: 'remove an own app from the offer',
        fields: { name: 255 },
        needed: ['name'],
        subject: 'name',
        async run({ name = '' }) {
          const { removeOwnApp } = await import('./own-apps.ts');
          await removeOwnApp(box, name);
          return { ok: true, text: `${name} is not offered any more.` };
        },
      },
    },
  };
}

const checking: ShownAction = {
  ...{ act: 'own/check', label: 'Check', kind: 'primary', doing: 'Checking the file' },
  fields: [
    { name: 'title', label: 'Name of the app, such as My Notes', type: 'text' },
    { name: 'text', label: 'Compose file', type: 'lines' },
  ],
};

function ownRow(box: OwnAppsBox, name: string): Row {
  const isInstalled = box.apps.one('installed', name) !== null;
  const fact = isInstalled
    ? 'Installed. Paste a newer file under the same name, and Update brings it.'
    : 'Not installed.';
  const title = shownName(box.apps.one('bundled', name)?.manifest?.display_name || name);
  const stays = 'It is not offered any more, and its file is deleted here.';
  const text = isInstalled ? `${stays} The installed app stays with its data, but cannot be repaired.` : stays;
  const question = { title: `Remove ${title} from the offer?`, text, answer: 'Remove' };
  const about = { about: title, given: { name } };
  const remove = { ...about, act: 'own/remove', label: 'Remove from the offer', kind: 'danger', question } as const;
  return {
    text: title,
    facts: [fact],
    link: { text: isInstalled ? 'To the page Apps' : 'Install it on the page Apps', href: '/apps' },
    actions: [{ ...remove, doing: `Removing ${title}` }],
  };
}

/** What a check found, and the button that keeps the app. */
function shownCheck(
  { name, isNewer, app, warnings, digest }: Checked,
  given: { title: string; text: string },
): Section {
  const title = given.title.trim();
  const newer = `It replaces the file that you pasted under this name. An installed ${title} gets an update.`;
  const rows: Row[] = [
    ...(isNewer ? [note(newer)] : []),
    ...warnings.map(warning),
    ...app.services.map((service): Row => {
      const { image, ports, folders } = service;
      return {
        text: service.name,
        facts: [
          `It runs ${shownName(image)}.`,
          ...(ports.length === 0 ? [] : [`Ports of this machine: ${ports.map(shownName).join(', ')}.`]),
          ...(folders.length === 0 ? [] : [`Folders of its own: ${folders.map(shownName).join(', ')}.`]),
        ],
      };
    }),
    ...(app.notes.length === 0 ? [] : [{ text: 'Worth knowing', facts: app.notes }]),
    ...askedRows(name, app.files['manifest.json']),
  ];
  return { title: `What ${title} may do here`, rows, actions: [keeping(title, app, { ...given, digest })] };
}

function askedRows(name: string, manifest: string): Row[] {
  const read = parseManifest(new TextEncoder().encode(manifest), name);
  const settings = read.ok ? read.manifest.settings : [];
  if (settings.length === 0) return [];
  return [{ text: 'The form of the install asks for', facts: settings.map(askedText) }];
}

function askedText({ label, type, required, default: preset, generate }: Setting): string {
  if (generate !== undefined) return `${label}: a secret, made for you.`;
  if (type === 'password') return `${label}: a secret${required ? ' that you type' : ', may stay empty'}.`;
  if (preset !== null) return `${label}: begins with ${preset}.`;
  return `${label}: ${required ? 'has to be filled in' : 'may stay empty'}.`;
}

function keeping(title: string, { pages, services }: Checked['app'], given: Record<string, string>): ShownAction {
  const label = 'Port of its page';
  const hasSeveral = services.length > 1;
  const ports = [...new Map(pages.map((page) => [page.port, page])).values()];
  const choices = ports.map(({ port, service }) => ({ value: port, text: hasSeveral ? `${port} (${service})` : port }));
  const none = { value: '', text: 'It has no page' };
  return {
    ...{ act: 'own/keep', label: 'Keep', about: title, kind: 'primary', doing: `Keeping ${title}`, given },
    note: 'It is then offered on the page Apps, where you install it. Your backups have it, too.',
    fields: [
      pages.length > 0
        ? { name: 'page', label, type: 'choice', choices: [...choices, none] }
        : { name: 'page', label: `${label} (blank if it has none)`, type: 'number' },
    ],
  };
}
