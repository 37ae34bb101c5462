import { type Check, check } from '../check.ts';
import { equal, refused, status } from '../expect.ts';
import { manifest } from './apps.ts';
import { runningContainer } from './disk.ts';
import { unhurried } from './updateApp.ts';

const image = 'registry.example/reed:3';
const compose = `services:
  web:
    image: ${image}
    restart: unless-stopped
    healthcheck:
      test: ["CMD", "true"]
`;

type Case = { id: string; says: string; does: 'exit' | 'unhealthy'; generation: 2 | 3; afterMs: number };
const cases: Case[] = [
  { id: 'ends', says: 'ends with a failure', does: 'exit', generation: 2, afterMs: 0 },
  { id: 'unhealthy', says: 'turns unhealthy', does: 'unhealthy', generation: 3, afterMs: 0 },
  // Longer than somebody would look who looks only whether it stays up for a moment.
  { id: 'slowly-unhealthy', says: 'turns unhealthy late', does: 'unhealthy', generation: 2, afterMs: 6000 },
];

/** Updates whose new containers start, and are not what they should be. */
export const checks: Check[] = cases.map(({ id, says, does, generation, afterMs }) =>
  check(
    `box/updateApp/new-container-${id}`,
    ['choice/box/122'],
    `goes back to the old image when the new container ${says}, and says so in a 502`,
    async (box) => {
      // Of an image that is still to come.
      await box.world.docker.behave(image, does, generation, afterMs);
      box.world.bundle({ name: 'reed', manifest: manifest('reed'), compose });
      status(await box.install('reed'), 200);
      if (generation === 3) {
        // As long as they are healthy all is well.
        await box.world.docker.advance(image);
        status(await box.updateApp('reed'), 200);
      }
      const before = await runningContainer(box, 'reed');
      await box.world.docker.advance(image);
      refused(await box.updateApp('reed'), 502);
      equal('the image that runs', (await runningContainer(box, 'reed')).imageId, before.imageId);
    },
    unhurried,
  ),
);
