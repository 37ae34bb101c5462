/** How an installed version behaves. With any behaviour but `serves` an update to it fails. */
export type Behaviour =
  | 'serves'
  /** Ends with status 1, even for `--help`. */
  | 'cannot be run'
  /** Ends with status 1 at each start. */
  | 'does not start'
  /** Ends with status 1 soon after its first answer. */
  | 'dies'
  /** Accepts connections, but sends no response. */
  | 'never answers'
  | 'answers as another version';

/**
 * The program of a fake version. `box serve` and `gateway serve` listen as the settings say, answer every request as
 * that version, return the update state and write `running.json`. `--help` exits with status 0.
 */
export function programText(version: string, behaviour: Behaviour): string {
  const says = behaviour === 'answers as another version' ? '0.0.1' : version;
  return `#!/bin/sh
':' //; exec '${process.execPath}' "$0" "$@"
const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const { createServer } = require('node:http');
const words = process.argv.slice(2);
const behaviour = '${behaviour}';
if (behaviour === 'cannot be run') process.exit(1);
if (words.includes('--help')) process.exit(0);
if (behaviour === 'does not start') process.exit(1);
const setting = (name) => process.env[(words[0] === 'gateway' ? 'GATEWAY_' : 'BOX_') + name];
const host = setting('HOST') ?? '127.0.0.1';
const stateFile = (name) => (setting('STATE_DIR') ?? '/var/lib/boxgate') + '/' + name;
const textOf = (file) => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '{}';
  }
};
process.on('SIGTERM', () => process.exit(0));
const server = createServer(({ url }, response) => {
  if (behaviour === 'never answers') return;
  if (behaviour === 'dies') setTimeout(() => process.exit(1), 300);
  const text = url === '/api/self/update/status' ? textOf(stateFile('update-state.json')) : '{}';
  response.writeHead(200, { Server: 'boxgate/${says}', 'Content-Type': 'application/json' }).end(text);
});
server.listen(Number(setting('PORT') ?? 8080), host, () => {
  const address = 'http://' + host + ':' + server.address().port;
  const running = { address, version: '${version}', unit: setting('UNIT') ?? null, pid: process.pid };
  writeFileSync(stateFile('running.json.new'), JSON.stringify(running), { mode: 0o600 });
  renameSync(stateFile('running.json.new'), stateFile('running.json'));
  console.log('listening on ' + address);
});
`;
}
