// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what stands in these texts is source.
import { type BoxFault, boxFault, breaking, inFile } from './box-fault.ts';

const service = inFile('box/service.ts');
const requests = inFile('box/requests.ts');
const refusals = inFile('box/refusals.ts');
const asText = inFile('box/rules/dotenv/setting-values.ts');

const beforeHandling = (statement: string) =>
  service(
    'const match = given as Match<OperationId>;',
    `const match = given as Match<OperationId>; ${statement}`,
  );

const anyName = 'getAppSettings/2 getAppSettings/3 updateAppSettings/5 updateApp/4';

/** Names and fields that are refused before anything is looked at. */
export const fieldFaults: readonly BoxFault[] = [
  boxFault(
    'invalid-name-text',
    'has another text for an invalid app name',
    `${anyName} errors/2`,
    refusals("text: 'invalid app name'", "text: 'invalid name'"),
  ),
  boxFault(
    'invalid-name-404',
    'answers an invalid app name with 404',
    anyName,
    refusals('invalidAppName: { status: 400', 'invalidAppName: { status: 404'),
  ),
  boxFault(
    'empty-name-not-found',
    'answers 404 to an empty app name in the path',
    'getAppSettings/2 updateAppSettings/5 updateApp/4',
    requests(
      'const { operationId, params } = match;',
      "const { operationId, params } = match; if (params.name === '') return 'notFound';",
    ),
  ),
  boxFault(
    'slash-in-name-not-found',
    'answers 404 to an app name with a slash',
    'getAppSettings/3 updateAppSettings/5 updateApp/4',
    requests(
      'const { operationId, params } = match;',
      "const { operationId, params } = match; if (params.name?.includes('/')) return 'notFound';",
    ),
  ),
  boxFault(
    'settings-before-name',
    'looks at the settings before the app name',
    'updateAppSettings/5',
    requests(
      "refusalOf(operationId, 'path', pathRules[operationId], params) ??\n    refusalOf(operationId, 'body', bodyRules[operationId], body)",
      "refusalOf(operationId, 'body', bodyRules[operationId], body) ??\n    refusalOf(operationId, 'path', pathRules[operationId], params)",
    ),
  ),
  boxFault(
    'settings-missing-text',
    'has another text for settings that are missing',
    'updateAppSettings/6 updateAppSettings/7 updateAppSettings/8 errors/2',
    refusals('"missing or invalid \'settings\' object"', '"missing \'settings\' object"'),
  ),
  boxFault(
    'settings-missing-422',
    'answers missing settings with 422',
    'updateAppSettings/6 updateAppSettings/7 updateAppSettings/8',
    refusals('settingsMissing: { status: 400', 'settingsMissing: { status: 422'),
  ),
  boxFault(
    'absent-settings-are-empty',
    'takes absent settings of a change for {}',
    'updateAppSettings/6',
    beforeHandling("if (match.operationId === 'updateAppSettings') body = { settings: {}, ...body };"),
  ),
  boxFault(
    'null-settings-are-empty',
    'takes null as settings of a change for {}',
    'updateAppSettings/7',
    beforeHandling(
      "if (match.operationId === 'updateAppSettings' && body.settings === null) body = { settings: {} };",
    ),
  ),
  boxFault(
    'array-settings-are-empty',
    'takes an array as settings of a change for {}',
    'updateAppSettings/8',
    beforeHandling(
      "if (match.operationId === 'updateAppSettings' && Array.isArray(body.settings)) body = { settings: {} };",
    ),
  ),
  boxFault(
    'name-missing-text',
    'has another text for a missing name',
    'installApp/5 removeApp/4 endpoints/9 errors/2',
    refusals('"missing or empty \'name\' field"', '"missing or empty name field"'),
  ),
  boxFault(
    'name-missing-404',
    'answers a missing name with 404',
    'installApp/5 removeApp/4 endpoints/9 errors/6',
    refusals('nameMissing: { status: 400', 'nameMissing: { status: 404'),
  ),
  boxFault(
    'number-as-name',
    'takes a number for a name',
    'installApp/5 removeApp/4',
    beforeHandling("if (typeof body.name === 'number') body = { ...body, name: String(body.name) };"),
  ),
  boxFault(
    'null-name-not-found',
    'answers a name of null as that of an app that is not there',
    'removeApp/4',
    beforeHandling("if (match.operationId === 'removeApp' && body.name === null) body = { name: 'null' };"),
  ),
  boxFault(
    'settings-before-install-name',
    'looks at the settings of an install before its name',
    'installApp/5',
    requests('constraintRefusals[operationId].find(', 'constraintRefusals[operationId].toReversed().find('),
  ),
  boxFault(
    'install-settings-text',
    'has another text for settings of an install that are no object',
    'installApp/6 errors/2',
    refusals('"\'settings\' must be an object"', '"settings must be an object"'),
  ),
  boxFault(
    'install-settings-422',
    'answers settings of an install that are no object with 422',
    'installApp/6',
    refusals('settingsNotObject: { status: 400', 'settingsNotObject: { status: 422'),
  ),
  boxFault(
    'install-with-array',
    'installs with an array for settings',
    'installApp/6',
    beforeHandling(
      "if (match.operationId === 'installApp' && Array.isArray(body.settings)) body = { name: body.name };",
    ),
  ),
  boxFault(
    'install-with-empty-text',
    'takes settings that are false, 0 or empty for none',
    'installApp/6',
    beforeHandling(
      "if (match.operationId === 'installApp' && body.name && 'settings' in body && !body.settings) body = { name: body.name };",
    ),
  ),
  boxFault(
    'install-needs-settings',
    'refuses an install without settings',
    'post-rules/9',
    beforeHandling(
      "if (match.operationId === 'installApp' && body.settings === undefined) return fixedReply('settingsNotObject');",
    ),
  ),
  boxFault(
    'update-reads-its-body',
    'refuses an app update whose body has settings',
    'updateApp/2',
    beforeHandling(
      "if (match.operationId === 'updateApp' && body.settings) return fixedReply('settingsNotObject');",
    ),
  ),
  boxFault(
    'check-reads-its-body',
    'refuses an update check whose body has a version',
    'checkSelfUpdate/2',
    beforeHandling(
      "if (match.operationId === 'checkSelfUpdate' && body.version) return fixedReply('settingsNotObject');",
    ),
  ),
  boxFault(
    'apply-reads-its-body',
    'refuses a self-update whose body names a version',
    'applySelfUpdate/2',
    beforeHandling(
      "if (match.operationId === 'applySelfUpdate' && body.version) return fixedReply('settingsNotObject');",
    ),
  ),
  boxFault(
    'nought-is-nothing',
    'writes 0 and false as the empty text',
    'post-rules/1',
    asText("if (value === null) return '';", "if (!value) return '';"),
  ),
  boxFault(
    'whole-numbers-only',
    'cuts fractions off',
    'post-rules/1',
    asText('Number.isFinite(value) ? String(value)', 'Number.isFinite(value) ? String(Math.trunc(value))'),
  ),
  breaking(
    boxFault(
      'last-line-joined',
      'appends a new key to a last line that has no end',
      'post-rules/3',
      inFile('box/rules/dotenv/dotenv.ts')(
        "const start = text === '' || text === '\\uFEFF' || text.endsWith('\\n') ? text : text + newline;",
        'const start = text;',
      ),
    ),
  ),
  breaking(
    boxFault(
      'half-a-character-breaks',
      'breaks over a value that is no text',
      'updateAppSettings/11',
      asText(
        "if (!text.isWellFormed()) return 'the value is no valid Unicode text';",
        "if (!text.isWellFormed()) throw new Error('no text');",
      ),
    ),
  ),
];
