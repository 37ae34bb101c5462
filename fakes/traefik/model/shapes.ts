/**
 * The fields that the file provider knows, with their kinds. An unknown field makes the file invalid. Unsupported
 * sections (`anything`) are not validated.
 */
export type Shape =
  | { kind: 'text' | 'integer' | 'boolean' | 'texts' | 'duration' }
  | { kind: 'anything'; mayBeEmpty?: true }
  | { kind: 'fields'; fields: Record<string, Shape>; mayBeEmpty?: true }
  | { kind: 'entries'; of: Shape }
  | { kind: 'list'; of: Shape };

const text: Shape = { kind: 'text' };
const texts: Shape = { kind: 'texts' };
const integer: Shape = { kind: 'integer' };
const boolean: Shape = { kind: 'boolean' };
const duration: Shape = { kind: 'duration' };
const anything: Shape = { kind: 'anything' };
const fields = (known: Record<string, Shape>): Shape => ({ kind: 'fields', fields: known });
const entries = (of: Shape): Shape => ({ kind: 'entries', of });
const list = (of: Shape): Shape => ({ kind: 'list', of });

const routerTls: Shape = {
  kind: 'fields',
  fields: { options: text, certResolver: text, domains: list(fields({ main: text, sans: texts })) },
  mayBeEmpty: true,
};

const router = fields({
  entryPoints: texts,
  middlewares: texts,
  service: text,
  rule: text,
  parentRefs: texts,
  ruleSyntax: text,
  priority: integer,
  tls: routerTls,
  observability: anything,
});

const loadBalancer = fields({
  sticky: anything,
  servers: list(fields({ url: text, weight: integer, preservePath: boolean })),
  strategy: text,
  healthCheck: anything,
  passiveHealthCheck: anything,
  passHostHeader: boolean,
  responseForwarding: anything,
  serversTransport: text,
});

const service = fields({
  middlewares: texts,
  loadBalancer,
  weighted: anything,
  mirroring: anything,
  failover: anything,
  highestRandomWeight: anything,
});

const serversTransport: Shape = {
  kind: 'fields',
  fields: {
    serverName: text,
    insecureSkipVerify: boolean,
    rootCAs: texts,
    certificates: anything,
    maxIdleConnsPerHost: integer,
    forwardingTimeouts: fields({
      dialTimeout: duration,
      responseHeaderTimeout: duration,
      readTimeout: duration,
      writeTimeout: duration,
      idleConnTimeout: duration,
      readIdleTimeout: duration,
      pingTimeout: duration,
    }),
    disableHTTP2: boolean,
    peerCertURI: text,
    cipherSuites: texts,
    minVersion: text,
    maxVersion: text,
    spiffe: anything,
  },
  mayBeEmpty: true,
};

const unserved =
  'addPrefix stripPrefix stripPrefixRegex replacePath replacePathRegex chain headers encodedCharacters errors rateLimit ' +
  'redirectRegex redirectScheme digestAuth forwardAuth inFlightReq buffering circuitBreaker passTLSClientCert retry grpcWeb plugin';
const addresses = { sourceRange: texts, ipStrategy: anything };
const middleware = fields({
  ...Object.fromEntries(unserved.split(' ').map((kind) => [kind, anything])),
  compress: { kind: 'anything', mayBeEmpty: true },
  contentType: { kind: 'anything', mayBeEmpty: true },
  basicAuth: fields({ users: texts, usersFile: text, realm: text, removeHeader: boolean, headerField: text }),
  ipAllowList: fields({ ...addresses, rejectStatusCode: integer }),
  ipWhiteList: fields(addresses),
});

/** A whole file. Only at this level unknown names are ignored. */
export const fileShape = {
  kind: 'fields',
  fields: {
    http: fields({
      routers: entries(router),
      services: entries(service),
      middlewares: entries(middleware),
      serversTransports: entries(serversTransport),
      models: entries(anything),
    }),
    tcp: anything,
    udp: anything,
    tls: anything,
  },
} satisfies Shape;
