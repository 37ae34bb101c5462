import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { isJsonObject, parseJson } from '../../lib/json.ts';
import type { ShownState } from '../known-apps.ts';

const answerMs = 5000;

/** The states of apps that the server of this box knows, by name; `null` without an answer. */
export async function askServer(address: string): Promise<ReadonlyMap<string, ShownState> | null> {
  try {
    const list = parseJson(await bodyOf(`${address}/api/apps`));
    return Array.isArray(list)
      ? new Map(list.filter(isJsonObject).map((one) => [String(one.name), stateOf(one)]))
      : null;
  } catch {
    return null; // The server is down, or starts again.
  }
}

function stateOf({ state, state_detail, stopped_at, published, open_ports }: Record<string, unknown>): ShownState {
  const stopped = stopped_at === undefined ? {} : { stopped_at };
  return { state, state_detail, ...stopped, published, open_ports } as ShownState;
}

/** Under a local name: the address may be one on which the server listens and that nobody calls. */
function bodyOf(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { headers: { Host: 'localhost' }, agent: false, signal: AbortSignal.timeout(answerMs) };
    get(url, options, (response) => {
      if (response.statusCode === 200) return resolve(text(response));
      response.destroy();
      reject(new Error(`status ${response.statusCode}`));
    }).on('error', reject);
  });
}
