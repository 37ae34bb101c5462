/** The `docker logs --follow` of a container that prints FLOOD_BYTES a second in lines of FLOOD_LINE bytes. */
const { writeSync } = require('node:fs');

const tickMs = 20;
const lineBytes = Number(process.env.FLOOD_LINE);
const linesPerTick = Math.round((Number(process.env.FLOOD_BYTES) * tickMs) / 1000 / lineBytes);

// A full pipe makes the write wait, as it does in Docker's client.
setInterval(() => {
  const time = `${new Date().toISOString().slice(0, -1)}000000Z `;
  const block = Buffer.from(`${time.padEnd(lineBytes - 1, 'x')}\n`.repeat(linesPerTick));
  for (let from = 0; from < block.length; ) from += writeSync(1, block, from);
}, tickMs);
