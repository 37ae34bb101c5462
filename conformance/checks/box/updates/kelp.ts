import { status } from '../../../kernel/expect.ts';
import { manifest } from '../apps.ts';
import type { BoxContext } from '../context.ts';

/** An app of two services, whose images can become newer one by one. */
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

/** An update asks the container tool a good dozen times, which takes its time on a machine that has much to do. */
export const unhurried = { timeoutMs: 90_000 };

export async function installKelp(box: BoxContext): Promise<void> {
  box.environment.bundle({ name: 'kelp', manifest: manifest('kelp'), compose });
  status(await box.install('kelp'), 200);
}
