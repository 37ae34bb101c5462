// The floor of the start's re-sync: reads every file of the folder once. Prints how long that took in ms.
const { readdirSync, readFileSync } = require('node:fs');

const [folder] = process.argv.slice(2);
const begin = performance.now();
for (const name of readdirSync(folder)) {
  if (name.endsWith('.yml')) readFileSync(`${folder}/${name}`, 'utf8');
}
process.stdout.write(String(performance.now() - begin));
