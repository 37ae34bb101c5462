/** Every request names its program: ACME demands it (RFC 8555, 6.1), and some proxies refuse requests without it. */
export const userAgent = { 'User-Agent': 'boxgate' } as const;
