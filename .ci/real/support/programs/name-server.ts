import { createSocket } from 'node:dgram';
import type { TestContext } from 'node:test';

/** A name server that knows the IPv4 address of these names, each with all names below it. Returns its address. */
export async function startNameServer(t: TestContext, names: Record<string, string>): Promise<string> {
  const server = createSocket('udp4');
  server.on('message', (query, { port, address }) => {
    let end = 12;
    const labels: string[] = [];
    for (let size = query[end] ?? 0; size > 0; size = query[end] ?? 0) {
      labels.push(query.toString('latin1', end + 1, end + 1 + size));
      end += size + 1;
    }
    const host = labels.join('.').toLowerCase();
    const [, ip] = Object.entries(names).find(([name]) => host === name || host.endsWith(`.${name}`)) ?? [];
    const isFound = ip !== undefined && query.readUInt16BE(end + 1) === 1;
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(ip === undefined ? 0x8183 : 0x8180, 2);
    head.writeUInt16BE(isFound ? 1 : 0, 6);
    head.fill(0, 8);
    const answer = [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, ...(ip ?? '').split('.').map(Number)];
    const parts = [head, query.subarray(12, end + 5), ...(isFound ? [Buffer.from(answer)] : [])];
    server.send(Buffer.concat(parts), port, address);
  });
  await new Promise<void>((listening) => server.bind(0, '127.0.0.1', listening));
  t.after(() => server.close());
  return `127.0.0.1:${server.address().port}`;
}
