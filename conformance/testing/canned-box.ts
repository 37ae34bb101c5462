import { createServer } from 'node:http';

/** A server with fixed responses, for tests of the framework. Its argument selects the defect to simulate. */
const fault = process.argv[2] ?? '';
const summary = {
  name: 'x',
  display_name: '',
  version: '',
  description: '',
  description_long: '',
  ports: [],
  icon: '',
  icon_svg: null,
  has_settings: false,
};
const bodies: Record<string, unknown> = { 'extra-key': [{ ...summary, extra: 1 }], 'missing-key': [{}] };
const body = JSON.stringify(bodies[fault] ?? []);

let stays = fault === 'stays';

const server = createServer((request, response) => {
  if (request.url === '/silent') return;
  if (request.url === '/stay') stays = true;
  const known = ['/api/apps', '/api/bundled', '/api/apps/remove'].includes(request.url ?? '');
  const status = fault === 'undocumented' ? 418 : known ? 200 : 404;
  const text = status === 200 ? body : fault === 'other-error' ? '{"message":"not found"}' : '{"error":"not found"}';
  if (request.url === '/crash') {
    process.stderr.write('out of luck\n');
    process.exit(9);
  }
  response.writeHead(status, {
    'Content-Type': fault === 'charset' ? 'application/json; charset=utf-8' : 'application/json',
    ...(fault === 'chunked' ? {} : { 'Content-Length': text.length }),
    ...(fault === 'no-headers' ? {} : { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }),
    Server: 'boxgate/1.2.3',
  });
  if (fault === 'chunked') response.write('');
  response.end(text);
});

if (fault === 'ends') process.exit(3);
if (fault === 'port-in-use') {
  process.stderr.write('Address already in use\n');
  process.exit(1);
}
if (fault !== 'silent') server.listen(Number(process.env.BOX_PORT), '127.0.0.1');
if (fault === 'silent') setInterval(() => {}, 1000);
process.on('SIGTERM', () => {
  if (!stays) process.exit(0);
});
