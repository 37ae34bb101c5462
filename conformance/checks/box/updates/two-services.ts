import { status } from '../../../kernel/expect.ts';
import { manifest } from '../apps.ts';
import type { BoxContext } from '../context.ts';

/** An app with two services, whose images can be updated separately. */
export const web = 'registry.example/kelp-web:1.4';
export const store = 'registry.example/kelp-store:7';
export const compose = `services:
  web:
    image: ${web}
    restart: unless-stopped
  store:
    image: ${store}
    restart: unless-stopped
`;

/** An update calls the container tool more than twelve times, which is slow on a busy machine. */
export const unhurried = { timeoutMs: 90_000 };

export async function installTwoServices(box: BoxContext): Promise<void> {
  box.environment.bundle({ name: 'kelp', manifest: manifest('kelp'), compose });
  status(await box.install('kelp'), 200);
}
