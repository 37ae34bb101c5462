import { ignore } from '../../lib/ignore.ts';
import { hostText, isLoopback } from '../rules/compose/published-ports.ts';
import { isSameStart } from '../rules/text/same-start.ts';
import type { SetUpBox } from './https-box.ts';
import { CaddyFailed, type ListenPlace } from './ports.ts';

/** `cure`: what to do if the page is shown there. */
type Place = ListenPlace & { cure: string };

/** Says where the page is open without the login that its name asks for. Asks as a device of the home network does. */
export async function plainPageLines(box: SetUpBox, caddyfile: string): Promise<string[]> {
  const { https, machine } = box;
  const home = https.homeAddresses()[0] ?? '127.0.0.1';
  const page = box.page().html;
  const lineOf = async ({ address, port, hosts, cure }: Place) => {
    const server = addressText(['', '0.0.0.0', '::'].includes(address) ? home : address, port);
    for (const name of [server, ...[...box.names, ...hosts].map((host) => addressText(host, port))]) {
      const { status, text } = await machine.ask(`http://${server}`, name, '/apps');
      if (status === 200 && isSameStart(text, page))
        return [`the plain page is open at http://${name}/apps and asks for no login: ${cure}`];
    }
    return [];
  };
  const places = [...(await placesOfCaddy(box, caddyfile)), ...(await ownPlace(box))];
  const reached = places.filter(({ address }) => address !== 'localhost' && !isLoopback(address));
  return (await Promise.all(reached.map(lineOf))).flat();
}

async function placesOfCaddy({ https }: SetUpBox, caddyfile: string): Promise<Place[]> {
  const cure = `switch the login on in ${caddyfile} as well, as deploy/proxy says, or take that site away`;
  const usual = [{ address: '', port: 80, hosts: [] }];
  // Only the running Caddy can read some files whole, because of its variables.
  const found = await https.caddy.listens(caddyfile).catch(ignore(CaddyFailed, () => usual));
  return found.map((one) => ({ ...one, cure }));
}

/** The server of the box itself. */
async function ownPlace({ selfUpdate }: SetUpBox): Promise<Place[]> {
  const { hostname = '', port = '' } = URL.parse((await selfUpdate.updateFiles.readRunning())?.address ?? '') ?? {};
  const cure = 'set BOX_HOST=127.0.0.1 in /etc/boxgate/box.env, then systemctl restart boxgate-box';
  return port === '' ? [] : [{ address: hostname.replace(/^\[|\]$/g, ''), port: Number(port), hosts: [], cure }];
}

function addressText(host: string, port: number): string {
  return port === 80 ? hostText(host) : `${hostText(host)}:${port}`;
}
