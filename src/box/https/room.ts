import { type Room, type Row, type Section, warning } from '../report.ts';
import type { SetUpBox } from './https-box.ts';
import { nameLines, namesShown } from './https-status.ts';

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
  rows: [
    {
      is: 'text',
      text: 'Browsers warn until the device trusts the certificate of this box:',
      link: { text: 'root.crt', href: '/settings/api/root.crt' },
    },
    ...steps.map(([text, how]): Row => ({ text, facts: [how] })),
  ],
};

/** HTTPS: the names in the home network, and the certificate that each device has to trust. */
export function httpsRoom(box: SetUpBox): Room {
  return {
    path: 'https',
    title: 'HTTPS addresses',
    group: 'network',
    waiting: 'Looking at the names…',
    async read() {
      const { domain, hasRoot, names, problems } = await namesShown(box);
      if (domain === '') {
        const what = 'Each app can have a name with HTTPS in your network. None has one yet.';
        const how = 'In a shell of the box: `sudo boxgate box https setup --domain box.example.org --local`.';
        return { sections: [{ rows: [what, how].map((text): Row => ({ is: 'text', text })) }] };
      }
      const page = { app: 'The page.', url: `https://${domain}/` };
      const rows = [page, ...names].map(
        ({ app, url }): Row => ({ text: url.replace(/\/$/, ''), href: url, facts: [app] }),
      );
      return { sections: [{ rows: [...problems.map(warning), ...rows] }, ...(hasRoot ? [trust] : [])] };
    },
    async print() {
      const { domain, problems } = await namesShown(box);
      const none = 'there are no names with HTTPS: boxgate box https setup makes them';
      if (domain === '') return { status: 0, lines: [none] };
      return { status: problems.length === 0 ? 0 : 1, lines: [...nameLines(box), ...problems] };
    },
  };
}
