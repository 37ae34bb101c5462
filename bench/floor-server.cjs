// The floor of every HTTP row: a bare node:http server that answers each request with the same bytes, after it
// has read and parsed a JSON body where one came. FLOOR_ANSWER is JSON: {status, headers, body}.
const { createServer } = require('node:http');

const answer = JSON.parse(process.env.FLOOR_ANSWER ?? '{"status":200,"headers":{},"body":"{}"}');

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    if (chunks.length > 0) JSON.parse(Buffer.concat(chunks).toString('utf8'));
    response.writeHead(answer.status, answer.headers);
    response.end(answer.body);
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening on http://127.0.0.1:${server.address().port}\n`);
});
process.on('SIGTERM', () => process.exit(0));
