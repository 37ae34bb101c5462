// The floor of every row over HTTP: a bare node:http server that answers each request with the same bytes. It parses
// the JSON body where one comes, and with FLOOR_FOLDER looks at that folder first as a list cannot do without: one
// readdir, and a stat of two files of each app. FLOOR_ANSWER is JSON: {status, headers, body}.
const { readdirSync, statSync } = require('node:fs');
const { createServer } = require('node:http');

const answer = JSON.parse(process.env.FLOOR_ANSWER ?? '{"status":200,"headers":{},"body":"{}"}');
const folder = process.env.FLOOR_FOLDER;

function give(response) {
  if (folder !== undefined) lookAt(folder);
  response.writeHead(answer.status, answer.headers);
  response.end(answer.body);
}

function lookAt(apps) {
  for (const name of readdirSync(apps)) {
    statSync(`${apps}/${name}/manifest.json`);
    statSync(`${apps}/${name}/icon.svg`);
  }
}

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    give(response);
    return;
  }
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    if (chunks.length > 0) JSON.parse(Buffer.concat(chunks).toString('utf8'));
    give(response);
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening on http://127.0.0.1:${server.address().port}\n`);
});
process.on('SIGTERM', () => process.exit(0));
