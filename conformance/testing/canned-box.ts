import { createServer } from 'node:http';

/** A server with fixed responses, for tests of the framework. Its argument selects the defect to simulate. */
const fault = process.argv[2] ?? '';
const body = fault === 'extra-key' ? '[{"name":"x","ok":false,"error":"e","extra":1}]' : '[]';

const server = createServer((request, response) => {
  const known = request.url === '/api/apps' || request.url === '/api/bundled';
  const status = fault === 'undocumented' ? 418 : known ? 200 : 404;
  const text = status === 200 ? body : '{"error":"not found"}';
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
if (fault !== 'silent') server.listen(Number(process.env.BOX_PORT), '127.0.0.1');
if (fault === 'silent') setInterval(() => {}, 1000);
process.on('SIGTERM', () => {
  if (fault !== 'stays') process.exit(0);
});
