// The floor of publishing: a bare node:http server. For each POST and DELETE it writes one durable row and one file,
// which it syncs and renames, and syncs the directory. Its folder is the first argument.
const { closeSync, fsyncSync, openSync, renameSync, writeFileSync } = require('node:fs');
const { createServer } = require('node:http');
const { join } = require('node:path');
const { DatabaseSync } = require('node:sqlite');

const [folder] = process.argv.slice(2);
const database = new DatabaseSync(join(folder, 'floor.db'));
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
database.exec('CREATE TABLE IF NOT EXISTS routes (id TEXT PRIMARY KEY, subdomain TEXT UNIQUE, body TEXT)');
const insert = database.prepare('INSERT INTO routes VALUES (?, ?, ?)');
const remove = database.prepare('DELETE FROM routes WHERE id = ?');
const answer = ['Content-Type', 'application/json', 'Cache-Control', 'no-store', 'Server', 'floor/1.0.0'];
let count = 0;

function write(text) {
  const path = join(folder, 'route.yml');
  const file = openSync(`${path}.tmp`, 'w');
  writeFileSync(file, text);
  fsyncSync(file);
  closeSync(file);
  renameSync(`${path}.tmp`, path);
  const directory = openSync(folder, 'r');
  fsyncSync(directory);
  closeSync(directory);
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = { id: String(count), url: 'https://something.example.org' };
    if (request.method === 'DELETE') remove.run(request.url.split('/').at(-1));
    else {
      const { subdomain } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      insert.run(body.id, subdomain, 'app');
      count += 1;
    }
    write('http:\n'.padEnd(600, '#'));
    const text = JSON.stringify(body);
    response.writeHead(request.method === 'DELETE' ? 200 : 201, [...answer, 'Content-Length', String(text.length)]);
    response.end(text);
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening on http://127.0.0.1:${server.address().port}\n`);
});
process.on('SIGTERM', () => process.exit(0));
