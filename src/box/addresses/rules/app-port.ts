/** The port of an app that a route leads to. */

/** An app does not publish (or its manifest does not declare) exactly one port. The message says what to do. */
export class PortUnclear extends Error {
  override readonly name = 'PortUnclear';
}

/**
 * Returns the port that an app publishes now; throws PortUnclear if it does not publish exactly one.
 * @param published - ports that a browser can open, with the labels of its manifest
 */
export function publishedPort(app: string, published: readonly { port: number; label: string }[]): number {
  const [only, ...others] = published;
  if (only === undefined) {
    throw new PortUnclear(
      `${app} publishes no port now: it does not run, or its Compose file publishes none. Start it on the box's page, or name a port with --port`,
    );
  }
  if (others.length > 0) {
    const found = published.map(({ port, label }) => (label === '' ? port : `${port} (${label})`)).join(', ');
    throw new PortUnclear(`${app} publishes the ports ${found}; name one of them with --port`);
  }
  return only.port;
}

/**
 * Returns the port that a manifest declares; throws PortUnclear if it does not declare exactly one.
 * @param declared - `null` if the app is not installed; empty for a broken manifest, which the box's own page reports
 */
export function declaredPort(app: string, declared: readonly number[] | null): number {
  if (declared === null) {
    throw new PortUnclear(`${app} is no installed app with a manifest; name its port with --port`);
  }
  const [port, ...others] = new Set(declared);
  if (port === undefined) throw new PortUnclear(`the manifest of ${app} declares no port; name it with --port`);
  if (others.length > 0) {
    const found = [port, ...others].join(', ');
    throw new PortUnclear(`the manifest of ${app} declares the ports ${found}; name one of them with --port`);
  }
  return port;
}
