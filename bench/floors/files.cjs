// The minimal work of comparing route files: reads every file of the folder once and prints the time in ms.
const { readdirSync, readFileSync } = require('node:fs');

const [folder] = process.argv.slice(2);
const begin = performance.now();
for (const name of readdirSync(folder)) {
  if (name.endsWith('.yml')) readFileSync(`${folder}/${name}`, 'utf8');
}
process.stdout.write(String(performance.now() - begin));
