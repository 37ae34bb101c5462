/**
<<<<<<< HEAD
 * Invalid files, which block the whole directory, and valid files, by their speciality. `contract.proof.test.ts` tries all of
 * them on the fake and on the real Traefik.
=======
 * Files that stop every reading of the directory that they lie in, and files that do not, by what is special about
 * them. `contract.proof.test.ts` tries all of them on the stand-in and on the real Traefik.
>>>>>>> cffcbdb (Name the slow tests in their files and check types with TypeScript 7)
 */
export const stopping: Readonly<Record<string, string>> = {
  'broken YAML': 'http: [\n',
  'a tab': '\thttp:\n',
  'a text': 'hello\n',
  'a list': '- a\n',
  'a key twice': 'a: 1\na: 2\n',
  'a key with and without quotes': 'x-notes: {1: a, "1": b}\n',
  'two lists as keys': 'x-notes: {? [a] : b, ? [c] : d}\n',
  'an alias twice as a key': 'x-notes: {a: &name b, *name : c, *name : d}\n',
  'an alias without an anchor': 'x-notes: *a\n',
  'an unknown field of a router': 'http: {routers: {x: {rule: "Host(`x.test`)", colour: red}}}\n',
  'an unknown field of http': 'http: {routes: {x: {rule: "Host(`x.test`)"}}}\n',
  'an unknown field of tls': 'http: {routers: {x: {tls: {resolver: le}}}}\n',
  'an unknown field of a server': 'http: {services: {x: {loadBalancer: {servers: [{uri: "http://a"}]}}}}\n',
  'empty http': 'http: {}\n',
  'a scalar for http': 'http: true\n',
  'a list for http': 'http: []\n',
  'empty routers': 'http: {routers: {}}\n',
  'routers that are null': 'http:\n  routers:\n',
  'one router that is null': 'http: {routers: {x: null}}\n',
  'empty services': 'http: {routers: {x: {service: y}}, services: {}}\n',
  'a load balancer without content': 'http: {services: {x: {loadBalancer: {}}}}\n',
  'empty tcp': 'tcp: {}\n',
  'empty tls': 'tls: {}\n',
  'a priority that is no number': 'http: {routers: {x: {priority: high}}}\n',
  'a priority with a fraction': 'http: {routers: {x: {priority: 1.5}}}\n',
  'a date': 'http: {routers: {x: {service: 2026-11-21}}}\n',
  'an unknown function of a template': '# {{ foo }}\n',
  'an unknown function where a template never comes': '# {{ if false }}{{ foo }}{{ end }}\n',
  'an unknown function after a text with braces': '# {{ env "}}" }}{{ foo }}\n',
  'a template that does not end': '# {{\n',
  'an unknown field of a timeout': 'http: {serversTransports: {x: {forwardingTimeouts: {dial: 1s}}}}\n',
  'timeouts without content': 'http: {serversTransports: {x: {forwardingTimeouts: {}}}}\n',
  'a timeout that is no duration':
    'http: {serversTransports: {x: {forwardingTimeouts: {dialTimeout: soon}}}}\n',
  'a control character': '# \u0000\n',
};

export const harmless: Readonly<Record<string, string>> = {
  'no text': '',
  'a comment': '# nothing\n',
  'an empty map': '{}\n',
  'a null': 'null\n',
  'only the start of a document': '---\n',
  'http that is null': 'http:\n',
  'a section of its own': 'x-notes: {a: 1}\n',
  'a section of its own that is empty': 'x-notes: {}\n',
  'a second document that is broken': 'http:\n---\n[\n',
  'a router without anything': 'http: {routers: {x1: {}}}\n',
  'a null beside a router': 'http: {routers: {x2: null, x3: {rule: "Host(`x`)", service: a}}}\n',
  'names in any case': 'HTTP: {Routers: {x4: {RULE: "Host(`x`)", Service: a}}}\n',
  'an alias': 'http: {routers: {x5: &x {rule: "Host(`x`)", service: a}, x6: *x}}\n',
  'an alias as a key': 'x-notes: {a: &name b, *name : c}\n',
  'an alias as a key, and its name': 'x-notes: {a: &name b, *name : c, name: d}\n',
  'a number as a key in two spellings': 'x-notes: {1: a, 01: b}\n',
  'a boolean as a key in two spellings': 'x-notes: {true: a, True: b}\n',
  'a value that very many places share': `x-notes: [&a {b: c}${', *a'.repeat(200)}]\n`,
  'a template that is known': '# {{ env "HOME" }} {{/* and a comment */}} }}\n',
  'a text in JSON': '{"http": {"routers": {"x7": {"rule": "Host(`x`)", "service": "a"}}}}\n',
  'a middleware': 'http: {middlewares: {m: {stripPrefix: {prefixes: [/a]}}}}\n',
  'a router with every common field': `http: {routers: {x8: {entryPoints: [websecure], middlewares: [m],
  service: a, rule: "Host(\`x\`)", priority: 5, tls: {certResolver: le, options: default, domains: [{main: x}]}}}}\n`,
  'a service with every common field': `http: {services: {a: {loadBalancer: {servers: [{url: "http://a", weight: 1}],
  passHostHeader: false, healthCheck: {path: /}, sticky: {cookie: {name: c}}}}}}\n`,
  'a service with middlewares':
    'http: {services: {c: {middlewares: [m], loadBalancer: {servers: [{url: "http://a"}]}}}}\n',
  'a servers transport': `http: {serversTransports: {t: {maxIdleConnsPerHost: 200, forwardingTimeouts: {dialTimeout: 8s,
  responseHeaderTimeout: "2m", idleConnTimeout: 4, readIdleTimeout: 1m30s, pingTimeout: 500ms}}}}\n`,
  'a servers transport with every field': `http: {serversTransports: {v: {serverName: a, insecureSkipVerify: true,
  rootCAs: [a], certificates: [{certFile: a, keyFile: b}], disableHTTP2: true, peerCertURI: a, cipherSuites: [a],
  minVersion: VersionTLS12, maxVersion: VersionTLS13, spiffe: {ids: [a]}, forwardingTimeouts: {readTimeout: 1s,
  writeTimeout: 1s}}}}\n`,
  'a servers transport without content': 'http: {serversTransports: {u: {}}}\n',
  tcp: 'tcp: {routers: {x: {rule: "HostSNI(`*`)", service: x}}}\n',
};
