/**
 * Returns the port that an app publishes now; throws if it does not publish exactly one.
 * @param published - ports that a browser can open, with the labels of its manifest
 */
export function publishedPort(app: string, published: readonly { port: number; label: string }[]): number {
  const [only, ...others] = published;
  if (only === undefined) {
    throw new Error(
      `${app} publishes no port now: it does not run, or its Compose file publishes none. Start it on the box's page, or name a port with --port`,
    );
  }
  if (others.length > 0) {
    const found = published.map(({ port, label }) => (label === '' ? port : `${port} (${label})`)).join(', ');
    throw new Error(`${app} publishes the ports ${found}; name one of them with --port`);
  }
  return only.port;
}

/**
 * Returns the port that a manifest declares; throws if it does not declare exactly one.
 * @param declared - empty for a broken manifest, which the box's own page reports
 */
export function declaredPort(app: string, declared: readonly number[]): number {
  const [port, ...others] = new Set(declared);
  if (port === undefined) throw new Error(`the manifest of ${app} declares no port; name it with --port`);
  if (others.length > 0) {
    const found = [port, ...others].join(', ');
    throw new Error(`the manifest of ${app} declares the ports ${found}; name one of them with --port`);
  }
  return port;
}
