import { ignore } from '../../lib/ignore.ts';
import type { Outcome, Section } from '../report.ts';
import { type AppsOfBox, placeOfApp } from './place-of-app.ts';
import { type AddressPorts, TunnelProblem } from './ports.ts';
import { publish } from './publish.ts';
import { join } from './registration.ts';
import { gatewayUrl, loginName, networks, openPaths } from './rules/given-values.ts';

const startCommand = 'sudo systemctl enable --now boxgate-tunnel.service boxgate-heartbeat.timer';

export async function joinAndStart(ports: AddressPorts, request: Parameters<typeof join>[1]): Promise<Outcome> {
  const gateway = gatewayUrl(request.gateway);
  const { boxId } = await join(ports, { ...request, gateway });
  const text = `this box has joined ${gateway} as ${boxId}`;
  const failed = { ok: false, text: `${text}, but the tunnel does not start; run: ${startCommand}` };
  return ports.wireGuard
    .bringUp()
    .then(() => ({ ok: true, text }))
    .catch(ignore(TunnelProblem, () => failed));
}

/** Publishes an app as the form of the console says. Fields that are left empty change nothing. */
export async function publishAsked(
  box: AppsOfBox,
  ports: AddressPorts,
  fields: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const of = (name: string) => (fields[name] ?? '').trim();
  const rule = <Value>(name: string, parse: (text: string) => Value) => (of(name) === '' ? null : parse(of(name)));
  const access = {
    login: rule('login', loginName),
    allow: rule('allow', (text) => networks([text])),
    openPaths: rule('paths', (text) => openPaths([text])),
  };
  const app = fields.app ?? '';
  const place = await placeOfApp(box, app, Number(of('port')) || null, ports.warn);
  const done = await publish(ports, { app, subdomain: of('subdomain'), proxy: null, ...place, ...access });
  const { url, proxy_problem: problem, password } = done;
  const answers = problem === null ? 'and answers' : `but does not answer yet: ${problem}`;
  const outcome = { ok: problem === null, text: `${app} is published at ${url} ${answers}` };
  return password === undefined ? outcome : { ...outcome, shown: loginSection(`${access.login}`, password) };
}

function loginSection(login: string, password: string): Section {
  const words = 'Nothing keeps the password: write it down now. Publishing again with a login makes a new one.';
  const texts = [`Name \`${login}\`, password \`${password}\``, words];
  return { title: 'The login for visitors', rows: texts.map((text) => ({ is: 'text', text })) };
}
