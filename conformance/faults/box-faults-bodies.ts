// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what stands in these texts is source.
import { type BoxFault, boxFault, inFile } from './box-fault.ts';

const body = inFile('http/body.ts');
const service = inFile('box/service.ts');
const refusals = inFile('box/refusals.ts');

const beforeHandling = (statement: string) =>
  service(
    'const match = given as Match<OperationId>;',
    `const match = given as Match<OperationId>; ${statement}`,
  );

/** The body of a POST. */
export const bodyFaults: readonly BoxFault[] = [
  boxFault(
    'first-part-of-body',
    'reads a body only as far as its first part',
    'body/1',
    body('Buffer.concat(chunks)', 'chunks[0] ?? noBytes'),
  ),
  boxFault(
    'body-not-utf-8',
    'takes JSON in bytes that are no UTF-8',
    'body/2',
    body('if (!isUtf8(bytes)) return undefined;', ''),
  ),
  boxFault(
    'lenient-json',
    'takes JSON with a comma too many',
    'body/2',
    body("JSON.parse(bytes.toString('utf8'))", "JSON.parse(bytes.toString('utf8').replace(/,\\s*}$/, '}'))"),
  ),
  boxFault(
    'invalid-json-counts-as-empty',
    'takes a body that is no JSON for {}',
    'body/2 body/4',
    service("if (value === undefined) refuse('invalidJson');", 'if (value === undefined) return {};'),
  ),
  boxFault(
    'blank-body-is-empty',
    'takes a body of a blank for {}',
    'choice/box/164',
    service('if (bytes.length === 0) return {};', "if (bytes.toString().trim() === '') return {};"),
  ),
  boxFault(
    'invalid-json-text',
    'has another text for a body that is no JSON',
    'body/2 errors/2',
    refusals("text: 'invalid JSON body'", "text: 'the body is no JSON'"),
  ),
  boxFault(
    'array-body',
    'takes an array for an object',
    'body/3',
    body('value !== null && !Array.isArray(value)', 'value !== null'),
  ),
  boxFault(
    'null-body',
    'takes null for {}',
    'body/3',
    service(
      "if (!isJsonObject(value)) refuse('bodyNotObject');",
      "if (value === null) return {}; if (!isJsonObject(value)) refuse('bodyNotObject');",
    ),
  ),
  boxFault(
    'no-object-text',
    'has another text for a body that is no object',
    'body/3 errors/2',
    refusals("text: 'body must be a JSON object'", "text: 'body must be an object'"),
  ),
  boxFault(
    'no-object-422',
    'answers a body that is no object with 422',
    'body/3',
    refusals('bodyNotObject: { status: 400', 'bodyNotObject: { status: 422'),
  ),
  boxFault(
    'path-before-body',
    'refuses an unknown path before it looks at the body',
    'body/4',
    service(
      "head.method === 'POST' ? readObject(bytes)",
      "head.method === 'POST' && matchEndpoint(head.method, head.path) !== null ? readObject(bytes)",
    ),
  ),
  boxFault(
    'app-name-before-body',
    'refuses an app name in the path before it looks at the body',
    'body/4',
    service(
      "head.method === 'POST' ? readObject(bytes)",
      "head.method === 'POST' && matchEndpoint(head.method, head.path)?.params.name !== '' ? readObject(bytes)",
    ),
  ),
  boxFault(
    'name-before-paths',
    'asks every POST for a name, before it tries the paths',
    'body/5',
    beforeHandling(
      "if (match.operationId === 'updateAppSettings' && !hasName(body as RequestInput)) return fixedReply('nameMissing');",
    ),
  ),
  boxFault(
    'empty-body-refused',
    'refuses an empty body as no JSON',
    'body/6',
    service('if (bytes.length === 0) return {};', ''),
  ),
];
