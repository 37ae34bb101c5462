/** What a browser needs to offer the page and the console as one app for a home screen. */

/**
 * The manifest is a data address made here: the page loads no file, a manifest of a file is fetched without the login of
 * a proxy, and addresses in a data address have to be absolute.
 */
export function offerHomeScreen() {
  const { origin, hostname } = location;
  const ground = getComputedStyle(document.documentElement).backgroundColor;
  /** @param {string} rel */
  const iconOf = (rel) => document.querySelector(`link[rel="${rel}"]`)?.getAttribute('href');
  const manifest = {
    name: `boxgate on ${hostname}`,
    short_name: 'boxgate',
    start_url: `${origin}/apps`,
    scope: `${origin}/`,
    display: 'standalone',
    background_color: ground,
    theme_color: ground,
    icons: [
      { src: iconOf('apple-touch-icon'), sizes: '192x192', type: 'image/png' },
      { src: iconOf('icon'), sizes: 'any', type: 'image/svg+xml', purpose: 'any maskable' },
    ],
  };
  const link = document.createElement('link');
  link.rel = 'manifest';
  link.href = `data:application/manifest+json,${encodeURIComponent(JSON.stringify(manifest))}`;
  document.head.append(link);
}
