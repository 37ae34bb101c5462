import { shownName } from '../../lib/shown-text.ts';
import { capitalized, note, type Row, type Section, type ShownAction } from '../report.ts';
import { hostText } from '../rules/compose/published-ports.ts';
import type { SetUpBox } from './https-box.ts';
import { type HttpsSetting, type Login, loginPlaces } from './rules/names.ts';

type Field = NonNullable<ShownAction['fields']>[number];
type Box = Pick<SetUpBox, 'https'>;

const act = 'https/setup';
const doing = 'Looking at what is there';

export function offSections(box: Box): Section[] {
  const [home = 'the address of this box'] = box.https.homeAddresses();
  const why =
    'With HTTPS, this page and each app have a name of their own in your network, such as https://notes.box.example.org. Some apps, such as a password vault, work only so. The plain addresses stay.';
  const records = [
    `At the provider of your domain, or at the name server of your network, such as Pi-hole: \`box.example.org\` and \`*.box.example.org\`, both with the address ${home}.`,
  ];
  const more = 'A login';
  const fields = [
    text('domain', 'Name of the page, such as box.example.org'),
    ...certificateFields(null),
    ...loginFields(null).map((field) => ({ ...field, folded: more })),
    {
      ...choice('no_login', 'Without a login', [
        ['', 'Only if the plain page asks for none either'],
        ['true', 'In any case'],
      ]),
      folded: more,
    },
    resolverField,
  ];
  return [
    {
      rows: [
        { is: 'text', text: why },
        { text: 'First, make two records', facts: records },
      ],
    },
    {
      title: 'Switch HTTPS on',
      rows: setElsewhere(box),
      actions: [
        { act, label: 'Switch on', kind: 'primary', doing, fields: asked(box, fields), note: 'This may take minutes.' },
      ],
    },
  ];
}

export function onSections(box: Box, setting: HttpsSetting): Section[] {
  return [
    { title: 'Login', rows: [loginRow(box, setting)] },
    { title: 'Plain addresses', rows: [portsRow(box, setting)] },
    {
      title: 'Domain and certificate',
      rows: [...setElsewhere(box), certificateRow(box, setting), endRow(box, setting)],
    },
  ];
}

function loginRow(box: Box, { domain, login }: HttpsSetting): Row {
  const page = `https://${domain}/settings/#/https`;
  const change: ShownAction = {
    ...{ act, doing, kind: login === null ? 'primary' : 'quiet', about: 'the login' },
    label: login === null ? 'Ask for a login' : 'Change',
    fields: asked(box, loginFields(login)),
    question: {
      title: login === null ? 'Ask for a login?' : 'Change the login?',
      text: `Your browser asks for this name and password from then on: come back at ${page}. Keep the password: nobody can read it here. The plain addresses do not ask.`,
      answer: login === null ? 'Ask for it' : 'Change',
    },
  };
  const end: ShownAction = {
    ...{ act, doing, label: 'Switch off', kind: 'danger', about: 'the login', given: { no_login: 'true' } },
    question: {
      title: 'Switch the login off?',
      text: `Whoever reaches ${page} can then install and remove apps without a password.`,
      answer: 'Switch off',
    },
  };
  const isFixed = isSet(box, 'login_file') || isSet(box, 'no_login');
  const ends = login === null || isSet(box, 'login') ? [] : [end];
  return { ...loginText(login), actions: isFixed ? [] : [change, ...ends] };
}

function loginText(login: Login | null): Row {
  if (login === null) return { text: 'No login', facts: ['Nobody is asked for a password.'] };
  const by = 'file' in login ? `as ${shownName(login.file)} says` : `by the name ${login.name}`;
  const except = login.except.length === 0 ? '' : `, but ${login.except.map(shownName).join(', ')}`;
  return { text: `A login, ${by}`, facts: [`It protects: ${loginPlaces[login.of]}${except}.`] };
}

function loginFields(login: Login | null): Field[] {
  const kept = login === null ? '' : '; leave it blank to keep it';
  const own = login === null ? [] : [login.of];
  const order = [...new Set([...own, 'all', 'page', 'apps'] as const)];
  return [
    text('login', login === null ? 'Name of the login, such as ada' : `Another name${kept}`),
    { name: 'password', label: `Password, of at least 8 characters${kept}`, type: 'password' },
    choice(
      'login_for',
      'What it protects; the console belongs to the page',
      order.map((place) => [place, capitalized(loginPlaces[place])]),
    ),
    text('login_except', 'Apps without it, with commas, such as one whose own clients do not know it', login?.except),
  ];
}

function portsRow(box: Box, { domain, closing }: HttpsSetting): Row {
  const field = text('close_except', 'Apps that stay open, with commas, such as one that a TV asks', closing?.except);
  const close: ShownAction = {
    ...{ act, doing, given: { close_ports: 'true' }, fields: asked(box, [field]), about: 'the plain addresses' },
    ...(closing === null ? { label: 'Close', kind: 'primary' } : { label: 'Change', kind: 'quiet' }),
    question: {
      title: 'Close the plain addresses of the apps?',
      text: `Each app is then opened by its HTTPS address alone, such as https://notes.${domain}; addresses with a port, also in bookmarks and other devices, lead nowhere. The apps start again. The page itself stays where it is, also at https://${domain}/settings/#/https. Published apps stay open.`,
      answer: closing === null ? 'Close' : 'Change',
    },
  };
  const open: ShownAction = {
    ...{ act, doing, label: 'Open', kind: 'quiet', about: 'the plain addresses', given: { open_ports: 'true' } },
  };
  const isFixed = isSet(box, 'close_ports') || isSet(box, 'open_ports');
  const except = closing?.except.map(shownName).join(', ') ?? '';
  const facts =
    closing === null
      ? ['Apps can also be opened without HTTPS, by the address of the box and a port.']
      : [`Apps are opened by their HTTPS addresses alone${except === '' ? '' : `, but for ${except}`}.`];
  const actions = isFixed ? [] : closing === null ? [close] : [close, open];
  return { text: closing === null ? 'Open' : 'Closed', facts, actions };
}

function certificateRow(box: Box, { domain, certificate }: HttpsSetting): Row {
  const by =
    certificate.by === 'local'
      ? 'The box makes its certificates itself: each device has to trust it once.'
      : `A public authority gives the certificate, by a record at ${certificate.provider}. It is renewed by itself.`;
  const again: ShownAction = { act, doing, label: 'Set up again', about: 'HTTPS', kind: 'quiet' };
  const change: ShownAction = {
    ...{ act, doing, label: 'Change', about: 'domain and certificate', kind: 'quiet' },
    fields: asked(box, [
      text('domain', 'Name of the page', [domain]),
      ...certificateFields(certificate),
      resolverField,
    ]),
    question: {
      title: 'Change domain or certificate?',
      text: 'With another domain, the addresses of before end: come back at https:// and the new name. This may take minutes.',
      answer: 'Change',
    },
  };
  return { text: domain, facts: [by], actions: [again, change] };
}

function endRow(box: Box, { domain, login }: HttpsSetting): Row {
  const [home = 'ADDRESS-OF-THE-BOX'] = box.https.homeAddresses();
  const end: ShownAction = {
    ...{ act: 'https/off', doing: 'Beginning', label: 'End HTTPS', kind: 'danger' },
    question: {
      title: 'End HTTPS?',
      text: `https://${domain} and the addresses of the apps below it end${login === null ? '' : ', and so does their login'}: come back at http://${hostText(home)}/settings/.`,
      answer: 'End HTTPS',
    },
  };
  return { text: 'Without HTTPS', facts: ['Everything is then at its plain address, as before.'], actions: [end] };
}

function certificateFields(before: HttpsSetting['certificate'] | null): Field[] {
  const folded = 'Certificate of a public authority';
  const known = before?.by === 'dns' ? before : null;
  const choices = [
    ['local', 'Of this box: each device has to trust it once'],
    ['dns', "Of Let's Encrypt, by a record at a provider: needs the package lego"],
  ] as const;
  return [
    choice('certificate', 'Certificate', known === null ? choices : choices.toReversed()),
    { ...text('dns', 'Provider, as lego calls it, such as cloudflare', known ? [known.provider] : []), folded },
    { ...text('email', 'E-mail address, to which the authority may write', known ? [known.email] : []), folded },
    {
      ...{ name: 'credentials', type: 'lines', folded },
      label: `Credentials of the provider, a line each, such as CF_DNS_API_TOKEN=…${known ? '; blank keeps them' : ''}`,
    },
  ];
}

const resolverField: Field = {
  ...text('resolver', 'Name server that your devices ask, if this box asks another one'),
  folded: 'Rarely needed',
};

function text(name: string, label: string, values: readonly string[] = []): Field {
  return { name, label, type: 'text', ...(values.length > 0 && { value: values.join(', ') }) };
}

function choice(name: string, label: string, choices: readonly (readonly [value: string, text: string])[]): Field {
  return { name, label, type: 'choice', choices: choices.map(([value, shown]) => ({ value, text: shown })) };
}

const isSet = ({ https }: Box, field: string) => https.variables.has(`BOX_HTTPS_${field.toUpperCase()}`);

/** Without those that a variable sets. */
function asked(box: Box, fields: readonly Field[]): Field[] {
  const isLocal = isSet(box, 'local');
  return fields.filter(({ name }) => {
    if (name === 'certificate') return !isLocal && !isSet(box, 'dns');
    if (isLocal && ['dns', 'email', 'credentials'].includes(name)) return false;
    return !isSet(box, name === 'credentials' ? 'dns_variables' : name);
  });
}

function setElsewhere({ https }: Box): Row[] {
  const names = [...https.variables.keys()];
  return names.length === 0 ? [] : [note(`Set in /etc/boxgate/box.env, and not asked for here: ${names.join(', ')}.`)];
}
