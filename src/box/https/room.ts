import type { CommandResult } from '../../lib/command-result.ts';
import { shownText } from '../../lib/shown-text.ts';
import { type LongWork, makeLongWork } from '../long-work.ts';
import { capitalized, type Room, type Row, type Section, warning } from '../report.ts';
import { momentText } from '../rules/text/amounts.ts';
import type { SetUpBox } from './https-box.ts';
import { nameLines, namesProblems } from './https-status.ts';
import { openUrls } from './named-apps.ts';
import { isFailure } from './ports.ts';
import { offSections, onSections } from './room-forms.ts';

/** Loaded for a change only: reading the room needs none of it. */
async function changes() {
  const [console, setUp, rules] = await Promise.all([
    import('./console-setup.ts'),
    import('./set-up-https.ts'),
    import('./rules/asked-setting.ts'),
  ]);
  return { ...console, ...setUp, ...rules };
}

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

/** The answer of the command as the console says it. */
async function shown({ https }: SetUpBox, { status, text }: CommandResult): Promise<CommandResult> {
  const { withoutFlags } = await changes();
  const head = status === 0 && https.setting() !== null ? 'The HTTPS addresses are there:\n' : '';
  return { status, text: shownText(`${head}${withoutFlags(text)}`) };
}

/** HTTPS: the names in the home network, and the certificate that each device has to trust. */
export function httpsRoom(box: SetUpBox): Room {
  const work = makeLongWork(box, (error) => {
    if (!isFailure(error)) throw error;
    return error.message;
  });
  return {
    path: 'https',
    title: 'HTTPS addresses',
    group: 'network',
    waiting: 'Looking at the names…',
    async read() {
      const setting = box.https.setting();
      const ended = endedRow(work.latest()).map((row): Section => ({ rows: [row] }));
      if (setting === null) return { is_followed: true, sections: [...offSections(box), ...ended] };
      const { domain, certificate } = setting;
      const problems = await namesProblems(box);
      const urls = [['The page.', `https://${domain}/`] as const, ...openUrls(box)];
      const rows = urls.map(([app, url]): Row => ({ text: url.replace(/\/$/, ''), href: url, facts: [app] }));
      const sections = [
        { rows: [...problems.map(warning), ...rows] },
        ...(certificate.by === 'local' && box.https.rootCertificate() !== null ? [trust] : []),
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
          const { askedSetUp, setUpHttps } = await changes();
          const asked = askedSetUp(box, fields);
          return work.beginCommand('the setup of HTTPS', async () => shown(box, await setUpHttps(box, asked)));
        },
      },
      off: {
        verb: 'end HTTPS',
        fields: {},
        async run() {
          const { endHttps } = await changes();
          return work.beginCommand('the end of HTTPS', async () => shown(box, await endHttps(box)));
        },
      },
    },
    async print() {
      const none = 'there are no names with HTTPS: boxgate box https setup makes them';
      if (box.https.setting() === null) return { status: 0, lines: [none] };
      const problems = await namesProblems(box);
      return { status: problems.length === 0 ? 0 : 1, lines: [...nameLines(box), ...problems] };
    },
  };
}
