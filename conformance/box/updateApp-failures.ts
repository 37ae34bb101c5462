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

/** Updates whose new containers start, and are not what they should be. */
export const checks: Check[] = (['exit', 'unhealthy'] as const).map((does) =>
  check(
    `box/updateApp/new-container-${does === 'exit' ? 'ends' : 'unhealthy'}`,
    ['choice/box/122'],
    does === 'exit'
      ? 'goes back to the old image when the new container ends with a failure, and says so in a 502'
      : 'goes back to the old image when the new container turns unhealthy, and says so in a 502',
    async (box) => {
      // Of an image that is still to come.
      await box.world.docker.behave(image, does, does === 'unhealthy' ? 3 : 2);
      box.world.bundle({ name: 'reed', manifest: manifest('reed'), compose });
      status(await box.install('reed'), 200);
      if (does === 'unhealthy') {
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
