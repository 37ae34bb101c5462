import type { CheckContext } from '../../kernel/context.ts';
import { bearer } from '../../kernel/exchange.ts';
import { CheckFailed, isObject } from '../../kernel/expect.ts';

/** The box id in a path, and a token. */
export type Caller = { id: string; token: string };

/**
 * Finds the token and the id of a registered box. The requirements do not define the form of these results, so the
 * suite finds values by their effect. The box token is a text that `GET /v1/routes` accepts. The box id is a text for
 * which a heartbeat with that token succeeds. The fields `box_token` and `box_id` are tried first.
 */
export async function learnBox(context: Pick<CheckContext, 'get' | 'post' | 'hide'>, result: Record<string, unknown>) {
  const texts = textsOf(result).filter(([, text]) => /^[\x21-\x7e]+$/.test(text));
  const token = await first(preferred(texts, ['box_token', 'token']), async (text) => {
    return (await context.get('/v1/routes', bearer(text))).status === 200;
  });
  if (token === null) throw new CheckFailed('a text of the register result is a box token', true, false);
  context.hide(token);
  const ids = preferred(texts, ['box_id', 'id']).filter((text) => /^[^/?#%]+$/.test(text));
  const id = await first(ids, async (text) => {
    return (await context.post(`/v1/boxes/${text}/heartbeat`, undefined, bearer(token))).status === 200;
  });
  if (id === null) throw new CheckFailed('a text of the register result is the box id', true, false);
  return { id, token };
}

/** The id in a publish result or in a listed route (gateway/route/1). */
export function idOfRoute(result: unknown): string {
  return shownId(idIn(result));
}

export function shownId(id: string | null): string {
  if (id === null)
    throw new CheckFailed('a publish result or the list shows the id of a route, as id or route_id', true, false);
  return id;
}

/** The id of a published route: in the result, or else in the list. `null` if neither shows it. */
export async function findRouteId(
  gateway: { routes: (box: Caller) => Promise<Record<string, unknown>[]> },
  box: Caller,
  { result, subdomain }: { result: unknown; subdomain: string },
): Promise<string | null> {
  const id = idIn(result);
  if (id !== null) return id;
  const isShown = (text: string) => text === subdomain || text.startsWith(`${subdomain}.`);
  return idIn((await gateway.routes(box)).find((route) => textsOf(route).some(([, text]) => isShown(text))));
}

function idIn(result: unknown): string | null {
  const texts = textsOf(result);
  const found = ['id', 'route_id'].map((wanted) => texts.find(([key]) => key === wanted));
  const [, text] = found.find((one) => one !== undefined) ?? [];
  if (text !== undefined) return text;
  const { id, route_id: other = id } = isObject(result) ? result : {};
  if (other !== undefined) throw new CheckFailed('the id of a route is a string', 'a string', other);
  return null;
}

/** Every text of a JSON value with its key. Outer texts come first. */
export function textsOf(value: unknown, key = ''): [key: string, text: string][] {
  if (typeof value === 'string') return [[key, value]];
  if (Array.isArray(value)) return value.flatMap((one) => textsOf(one, key));
  if (!isObject(value)) return [];
  const entries = Object.entries(value);
  const shallow = entries.filter(([, one]) => typeof one === 'string');
  const deep = entries.filter(([, one]) => typeof one !== 'string');
  return [...shallow, ...deep].flatMap(([name, one]) => textsOf(one, name));
}

/** Hides the tokens and WireGuard keys of a registration result in reports. */
export function hideSecrets(hide: (text: string) => void, result: unknown): void {
  for (const [key, text] of textsOf(result)) {
    if (/token/i.test(key)) hide(text);
    for (const [, secret = ''] of text.matchAll(/^(?:PrivateKey|PresharedKey)\s*=\s*(\S+)/gm)) hide(secret);
  }
}

/** All texts, those with the given keys first. */
function preferred(texts: [string, string][], names: string[]): string[] {
  const likely = names.flatMap((name) => texts.filter(([key]) => key === name));
  return [...likely, ...texts.filter(([key]) => !names.includes(key))].map(([, text]) => text);
}

async function first(texts: string[], fits: (text: string) => Promise<boolean>): Promise<string | null> {
  for (const text of texts) if (await fits(text)) return text;
  return null;
}
