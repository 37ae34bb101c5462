import type { CommandResult } from '../../lib/command-result.ts';
import { shownText } from '../../lib/shown-text.ts';
import { type LongWork, makeLongWork } from '../long-work.ts';
import { capitalized, type Room, type Row, type Section, warning } from '../report.ts';
import { momentText } from '../rules/text/amounts.ts';
import { askedSetUp } from './console-setup.ts';
import type { SetUpBox } from './https-box.ts';
import { nameLines, namesShown } from './https-status.ts';
import { isFailure } from './missing-for-setup.ts';
import { offSections, onSections } from './room-forms.ts';
import { withoutFlags } from './rules/asked-setting.ts';

/** How each system learns to trust a certificate. */
const steps = [
  ['Android', 'Settings, Security, More, Install a certificate, CA certificate; choose the file.'],
  [
    'iPhone, iPad',
    'Open the link in Safari and allow the profile. Settings, General, VPN & Device Management: install it. Then Settings, General, About, Certificate Trust Settings: switch it on.',
  ],
  ['Windows', 'Open the file, Install Certificate, Local Machine, Trusted Root Certification Authorities.'],
  ['macOS', 'Open the file. In Keychain Access open its entry, Trust, Always Trust.'],
  ['Linux', '`sudo cp root.crt /usr/local/share/ca-certificates/box.crt`, then `sudo update-ca-certificates`.'],
  ['Firefox', 'Settings, Privacy & Security, View Certificates, Authorities, Import: trust it for web sites.'],
] as const;

const trust: Section = {
  title: 'On each device, once',
  is_folded: true,
  rows: [
    {
      is: 'text',
      text: 'Browsers warn until the device trusts the certificate of this box:',
      link: { text: 'root.crt', href: '/settings/api/root.crt' },
    },
    ...steps.map(([text, how]): Row => ({ text, facts: [how] })),
  ],
};

const setupFields = {
  ...{ domain: 200, certificate: 8, dns: 40, email: 330, credentials: 16_384, resolver: 64 },
  ...{ login: 64, password: 128, login_for: 8, login_except: 4096, no_login: 8 },
  ...{ close_ports: 8, close_except: 4096, open_ports: 8 },
};

/** For the owner who comes back, perhaps at another address. */
function endedRow(work: LongWork | null): Row[] {
  if (work === null || work.result === null) return [];
  const { doing, since, result } = work;
  return [{ text: `${capitalized(doing)}, begun ${momentText(since)}: how it ended`, folded: result.text }];
}

/** HTTPS: the names in the home network, and the certificate that each device has to trust. */
export function httpsRoom(box: SetUpBox): Room {
  const work = makeLongWork(box, (error) => {
    if (!isFailure(error)) throw error;
    return error.message;
  });
  const begin = (doing: string, command: (commands: typeof import('./set-up-https.ts')) => Promise<CommandResult>) =>
    work.beginCommand(doing, async () => {
      const { status, text } = await command(await import('./set-up-https.ts'));
      const head = status === 0 && box.https.setting() !== null ? 'The HTTPS addresses are there:\n' : '';
      return { status, text: shownText(`${head}${withoutFlags(text)}`) };
    });
  return {
    path: 'https',
    title: 'HTTPS addresses',
    group: 'network',
    waiting: 'Looking at the names…',
    async read() {
      const { domain, hasRoot, names, problems } = await namesShown(box);
      const setting = box.https.setting();
      const ended = endedRow(work.latest()).map((row): Section => ({ rows: [row] }));
      if (setting === null) return { is_followed: true, sections: [...offSections(box), ...ended] };
      const page = { app: 'The page.', url: `https://${domain}/` };
      const rows = [page, ...names].map(
        ({ app, url }): Row => ({ text: url.replace(/\/$/, ''), href: url, facts: [app] }),
      );
      const sections = [
        { rows: [...problems.map(warning), ...rows] },
        ...(hasRoot ? [trust] : []),
        ...onSections(box, setting),
        ...ended,
      ];
      return { is_followed: true, sections };
    },
    follow: async () => work.shown(),
    actions: {
      setup: {
        verb: 'set up HTTPS',
        fields: setupFields,
        async run(fields) {
          const setUp = askedSetUp(box, fields);
          return begin('the setup of HTTPS', ({ setUpHttps }) => setUpHttps(box, setUp));
        },
      },
      off: {
        verb: 'end HTTPS',
        fields: {},
        run: async () => begin('the end of HTTPS', ({ endHttps }) => endHttps(box)),
      },
    },
    async print() {
      const { domain, problems } = await namesShown(box);
      const none = 'there are no names with HTTPS: boxgate box https setup makes them';
      if (domain === '') return { status: 0, lines: [none] };
      return { status: problems.length === 0 ? 0 : 1, lines: [...nameLines(box), ...problems] };
    },
  };
}
