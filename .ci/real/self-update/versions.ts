import type { Entry } from './archive.ts';

/** Makes small versions for tests: a shell script as `bin/boxgate`, and a server if the version should answer. */

export const gate = '/run/boxgate-test';

/** Shell code of `bin/boxgate`. `$node` is the path of Node, `$here` the folder of the version. */
export type Script = { help?: string; serve?: string };

const serveWell = 'exec "$node" "$here/server.cjs"';

/** A script waits while this file exists. */
export const waitFor = (name: string) => `while [ -e ${gate}/${name} ]; do sleep 0.05; done`;

/** The files of a version. By default it starts, responds with its version and keeps running. */
export function filesOf(version: string, old: string, script: Script = {}): Entry[] {
  const program = `#!/bin/sh
here=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
node=/opt/boxgate/${old}/bin/node
case "$*" in
  *--help*) ${script.help ?? ':'} ;;
  # As a version without a console ends.
  *console) exit 2 ;;
  *) ${script.serve ?? serveWell} ;;
esac
`;
  return [
    { name: 'bin/', type: 'folder' },
    { name: 'bin/boxgate', mode: 0o755, content: program },
    { name: 'server.cjs', content: server(version) },
  ];
}

function server(version: string): string {
  return `
const { writeFileSync } = require('node:fs');
const version = process.env.TEST_VERSION || ${JSON.stringify(version)};
const running = { address: 'http://127.0.0.1:7000', version, unit: 'boxgate-box.service', pid: process.pid };
const server = require('node:http').createServer((request, response) => {
  response.setHeader('Server', 'boxgate/' + version);
  response.setHeader('content-type', 'application/json');
  response.statusCode = Number(process.env.TEST_STATUS || 200);
  response.end('[]', () => {
    if (process.env.TEST_DIES) process.exit(3);
  });
});
server.listen(7000, '127.0.0.1', () => writeFileSync('/var/lib/boxgate/running.json', JSON.stringify(running)));
process.on('SIGTERM', () => process.exit(0));
`;
}
