import type { CheckContext } from '../../kernel/context.ts';
import { bearer } from '../../kernel/exchange.ts';
import { CheckFailed, isObject } from '../../kernel/expect.ts';

/**
 * Finds the token and the id of a registered box. The requirements do not define the form of these results, so the
 * suite finds values by their effect. The box token is a text that `GET /v1/routes` accepts. The box id is a text for
 * which a heartbeat with that token succeeds. The fields `box_token` and `box_id` are tried first. The profile requires
 * them.
 */
export async function learnBox(
  context: Pick<CheckContext, 'profile' | 'get' | 'post' | 'hide'>,
  result: Record<string, unknown>,
) {
  const texts = textsOf(result).filter(([, text]) => /^[\x21-\x7e]+$/.test(text));
  if (context.profile) return { id: named(result, 'box_id'), token: named(result, 'box_token') };
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

export function idOfRoute(result: Record<string, unknown>): string {
  const texts = textsOf(result);
  for (const wanted of ['id', 'route_id']) {
    const found = texts.find(([key]) => key === wanted);
    if (found !== undefined) return found[1];
  }
  throw new CheckFailed('the publish result has an id of the route', 'id or route_id', Object.keys(result));
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

function named(result: Record<string, unknown>, name: string): string {
  const text = result[name];
  if (typeof text !== 'string' || text === '')
    throw new CheckFailed(`the register result has ${name}`, 'a text', typeof text);
  return text;
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
