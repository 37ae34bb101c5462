// The floor of the HTTP rows: a bare node:http server that answers each request with the same bytes. It parses JSON
// bodies. With FLOOR_FOLDER it first reads that folder as a list must: one readdir, and a stat of two files of each app.
// FLOOR_ANSWER is a JSON file: {status, headers, body}.
const { readdirSync, readFileSync, statSync } = require('node:fs');
const { createServer } = require('node:http');

const answer = process.env.FLOOR_ANSWER
  ? JSON.parse(readFileSync(process.env.FLOOR_ANSWER, 'utf8'))
  : { status: 200, headers: {}, body: '{}' };
// The fastest way of node:http: a short text is sent together with its head, a long one is encoded once.
const body = answer.body.length > 1024 ? Buffer.from(answer.body) : answer.body;
const folder = process.env.FLOOR_FOLDER;

function give(response) {
  if (folder !== undefined) lookAt(folder);
  response.writeHead(answer.status, answer.headers);
  response.end(body);
}

function lookAt(apps) {
  for (const name of readdirSync(apps)) {
    statSync(`${apps}/${name}/manifest.json`);
    statSync(`${apps}/${name}/icon.svg`);
  }
}

const server = createServer((request, response) => {
  if (!request.rawHeaders.includes('Content-Length')) {
    give(response);
    return;
  }
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString('utf8'));
    give(response);
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening on http://127.0.0.1:${server.address().port}\n`);
});
process.on('SIGTERM', () => process.exit(0));
