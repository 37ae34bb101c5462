import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * A server in front of another one that answers as a later version behind a proxy may: every object of a response has a
 * field more, every list of actions an action of an unknown kind, an app an unknown state, and `Server` is the proxy's.
 */
export function makeNewerServer(port: () => number): Server {
  return createServer((incoming, outgoing) => void pass(incoming, outgoing, port()));
}

async function pass(incoming: IncomingMessage, outgoing: ServerResponse, port: number): Promise<void> {
  const { method, url: path, headers } = incoming;
  const onward = request({ host: '127.0.0.1', port, method, path, headers });
  onward.on('error', () => outgoing.destroy());
  onward.end(await buffer(incoming));
  onward.on('response', async (response) => {
    const body = await buffer(response);
    const isJson = response.headers['content-type'] === 'application/json';
    const sent = isJson ? Buffer.from(JSON.stringify(newer(JSON.parse(body.toString())))) : body;
    const { server: _, 'x-content-type-options': __, ...kept } = response.headers;
    const replaced = { server: 'nginx/1.27.4', 'content-length': sent.length, 'x-served-by': 'a later version' };
    outgoing.writeHead(response.statusCode ?? 500, { ...kept, ...replaced });
    outgoing.end(sent);
  });
}

const added = { added_later: { since: 2, notes: ['a list', null] } };
const addedAction = { kind: 'defragment', target: 'notes', detail: 'a kind of a later version', ...added };

function newer(value: Json): Json {
  if (Array.isArray(value)) return value.map(newer);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([key, child]): [string, Json] => {
    if (key === 'actions' && Array.isArray(child)) return [key, [...child.map(newer), addedAction]];
    if (key === 'state' && child === 'running') return [key, 'hibernating'];
    return [key, newer(child)];
  });
  return { ...Object.fromEntries(fields), ...added };
}
