/** Names at home: the names with HTTPS, and the certificate that each device has to trust. */

import { element } from '../../../box/page/dom.js';
import { listOf, listRow, sentence } from '../visit.js';

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
];

/** @type {import('../visit.js').Room} */
export const namesRoom = {
  path: 'names',
  title: 'Names at home',
  async open(visit) {
    visit.place.replaceChildren(element('p', { class: 'note', text: 'Looking at the names…' }));
    /** @type {import('../visit.js').Schemas['Names'] | null} */
    const seen = await visit.get('names');
    if (seen === null) return visit.place.replaceChildren();
    if (seen.domain === '') return visit.place.replaceChildren(...howToBegin());
    visit.place.replaceChildren(
      ...seen.problems.map((text) => element('p', { class: 'warning' }, sentence(text))),
      listOf([
        listRow(linkTo(`https://${seen.domain}/`), ['The page.']),
        ...seen.names.map(({ app, url }) => listRow(linkTo(url), [app])),
      ]),
      ...(seen.has_root ? trustSteps() : []),
    );
  },
};

/** @param {string} url */
function linkTo(url) {
  return element('a', { text: url.replace(/\/$/, ''), attributes: { href: url, rel: 'noreferrer' } });
}

function howToBegin() {
  const command = 'In a shell of the box: `sudo boxgate box https setup --domain box.example.org --local`.';
  return [
    element('p', { text: 'Each app can have a name with HTTPS in your network. None has one yet.' }),
    element('p', {}, sentence(command)),
  ];
}

function trustSteps() {
  const file = element('a', {
    text: 'root.crt',
    attributes: { href: '/settings/api/names/root.crt' },
  });
  return [
    element('h3', { text: 'On each device, once' }),
    element('p', {}, 'Browsers warn until the device trusts the certificate of this box: ', file, '.'),
    listOf(steps.map(([system = '', text = '']) => listRow(system, [sentence(text)]))),
  ];
}
