// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what stands in these texts is source.
import { type BoxFault, boxFault, inFile } from './box-fault.ts';

const reply = inFile('http/reply.ts');
const match = inFile('http/match.ts');
const service = inFile('box/service.ts');
const requests = inFile('box/requests.ts');
const refusals = inFile('box/refusals.ts');
const handlers = inFile('box/handlers.ts');

const unknown = (answer: string) => service('    refuseUnknown,\n    handle', `    ${answer},\n    handle`);

/** What every answer carries, and how paths are matched. */
export const httpFaults: readonly BoxFault[] = [
  boxFault(
    'length-absent',
    'sends no Content-Length',
    'endpoints/4',
    reply("    'Content-Length',\n    String(content.length),\n", ''),
  ),
  boxFault(
    'length-in-characters',
    'counts characters where it should count bytes',
    'endpoints/4',
    reply('length: Buffer.byteLength(bytes)', 'length: bytes.length'),
  ),
  boxFault(
    'json-with-charset',
    'adds a charset to the type of JSON',
    'endpoints/3',
    reply("const json = 'application/json';", "const json = 'application/json; charset=utf-8';"),
  ),
  boxFault(
    'errors-as-text',
    'answers errors as plain text',
    'service/1 endpoints/3 endpoints/6 errors/1',
    service('{ status, body: { error } }', "{ status, type: 'text/plain', body: error }"),
  ),
  boxFault(
    'error-with-code',
    'puts a second key into error bodies',
    'endpoints/6 errors/1',
    service('{ status, body: { error } }', '{ status, body: { error, code: refusal } }'),
  ),
  boxFault(
    'error-as-object',
    'makes the error of an error body an object',
    'endpoints/6 errors/1',
    service('{ status, body: { error } }', '{ status, body: { error: { message: error } } }'),
  ),
  boxFault(
    'created-for-list',
    'answers a list with 201',
    'errors/3 listApps/1',
    handlers('({ status: 200 as const, body: listApps', '({ status: 201 as const, body: listApps'),
  ),
  boxFault(
    'one-request-a-connection',
    'sends only the first answer of a connection that it keeps open',
    'service/1',
    inFile('http/exchange.ts')(
      'if (reply === null) return true;',
      'if (request.socket.used === true) return false;\n  request.socket.used = true;\n  if (reply === null) return true;',
    ),
  ),
  boxFault(
    'trailing-slash',
    'takes a path with a slash at its end for the one without',
    'endpoints/1',
    match(
      'row.exact.get(path) ?? null',
      "row.exact.get(path) ?? row.exact.get(path.replace(/\\/$/, '')) ?? null",
    ),
  ),
  boxFault(
    'paths-in-any-case',
    'matches paths in upper case too',
    'endpoints/1',
    match('row.exact.get(path) ?? null', 'row.exact.get(path.toLowerCase()) ?? null'),
  ),
  boxFault(
    'paths-decoded',
    'decodes a path before it matches it',
    'choice/box/4',
    match(
      "if (path.startsWith('/')) return path;",
      "if (path.startsWith('/')) return path.replaceAll(/%6(\\d)/g, (_, digit) => String.fromCharCode(96 + Number(digit)));",
    ),
  ),
  boxFault(
    'double-slashes',
    'takes two slashes for one',
    'endpoints/1',
    match('row.exact.get(path) ?? null', "row.exact.get(path.replaceAll(/\\/+/g, '/')) ?? null"),
  ),
  boxFault(
    'version-segment',
    'serves its API below /v1 too',
    'versioning/1',
    match(
      "if (path.startsWith('/')) return path;",
      "if (path.startsWith('/')) return path.replace(/^\\/v1\\//, '/');",
    ),
  ),
  boxFault(
    'query-counts',
    'makes the query a part of the path',
    'endpoints/2',
    match("const end = target.indexOf('?');", 'const end = -1;'),
  ),
  boxFault(
    'query-fills-body',
    'takes the name that is missing in the body from the query',
    'endpoints/2',
    inFile('http/exchange.ts')(
      'const body = service.readBody(head, bytes);',
      'const body = service.readBody(head, bytes); if (head.named && body.name === undefined) body.name = head.named;',
    ),
    inFile('http/exchange.ts')(
      '    path: pathOf(url),',
      "    path: pathOf(url), named: new URLSearchParams(url.split('?')[1] ?? '').get('name'),",
    ),
  ),
  boxFault(
    'not-found-with-capital',
    'writes the text of an unknown path with a capital',
    'endpoints/7 endpoints/10 errors/2',
    refusals("text: 'not found' }", "text: 'Not found' }"),
  ),
  boxFault(
    'unknown-path-400',
    'answers an unknown path with 400',
    'endpoints/7 endpoints/10 errors/7',
    refusals('notFound: { status: 404', 'notFound: { status: 400'),
  ),
  boxFault(
    'page-for-unknown-paths',
    'shows the page for every path outside the API',
    'endpoints/1 endpoints/7',
    unknown(
      "refuseUnknown: (head, body) => head.method === 'GET' && !head.path.startsWith('/api') ? handlers.showPage({}) : refuseUnknown(head, body)",
    ),
  ),
  boxFault(
    'serves-state-file',
    'serves /update-state.json itself',
    'update-state/3',
    unknown(
      "refuseUnknown: (head, body) => head.path === '/update-state.json' ? handlers.getSelfUpdateStatus({}) : refuseUnknown(head, body)",
    ),
  ),
  boxFault(
    'serves-settings-page',
    'answers /settings/, which is not its own',
    'endpoints/7',
    unknown(
      "refuseUnknown: (head, body) => head.path === '/settings/' ? handlers.showPage({}) : refuseUnknown(head, body)",
    ),
  ),
  boxFault(
    'get-of-post-path-405',
    'answers a GET of a POST path with 405',
    'endpoints/7',
    unknown(
      "refuseUnknown: (head, body) => head.method === 'GET' && matchEndpoint('POST', head.path) ? fixedReply('methodNotAllowed') : refuseUnknown(head, body)",
    ),
  ),
  boxFault(
    'post-outside-404-first',
    'answers a POST outside the table with 404 before it looks for a name',
    'endpoints/9',
    service("if (method === 'POST' && !hasName(body as RequestInput)) return fixedReply('nameMissing');", ''),
  ),
  boxFault(
    'post-outside-any-name',
    'takes a name of any type in a POST outside the table',
    'endpoints/9',
    requests('return bodyValidators.removeApp(body);', "return Object.hasOwn(body, 'name');"),
  ),
  boxFault(
    'post-outside-empty-name',
    'takes an empty name in a POST outside the table',
    'endpoints/9',
    requests('return bodyValidators.removeApp(body);', "return typeof body.name === 'string';"),
  ),
  boxFault(
    'post-outside-blank-name',
    'takes a blank for no name in a POST outside the table',
    'choice/box/31',
    requests(
      'return bodyValidators.removeApp(body);',
      "return typeof body.name === 'string' && body.name.trim() !== '';",
    ),
  ),
  boxFault(
    'post-outside-never-404',
    'answers a POST outside the table with the missing name, whatever it has',
    'endpoints/10',
    service(
      "if (method === 'POST' && !hasName(body as RequestInput)) return fixedReply('nameMissing');",
      "if (method === 'POST') return fixedReply('nameMissing');",
    ),
  ),
  boxFault(
    'refuses-credentials',
    'refuses a request whose credentials it does not know',
    'auth/1',
    service(
      "const isPost = head.method === 'POST';",
      "const isPost = head.method === 'POST'; if (head.headers.authorization !== undefined) refuse('crossSite');",
    ),
  ),
  boxFault(
    'asks-posts-for-credentials',
    'asks every POST for credentials',
    'auth/1',
    service(
      "const isPost = head.method === 'POST';",
      "const isPost = head.method === 'POST'; if (isPost && head.headers.authorization === undefined) refuse('crossSite');",
    ),
  ),
];
