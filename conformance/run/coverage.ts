import type { Ajv, ValidateFunction } from 'ajv';
import {
  asArray,
  asObject,
  type Operation as DocumentedOperation,
  type JsonObject,
  operationFinder,
  operationsOf,
  readDocument,
} from '../../spec/document.ts';
import type { ApiContract } from '../kernel/contract.ts';
import { type Observed, parseJson } from '../kernel/exchange.ts';
import type { ApiName } from './api.ts';

/** How much of the OpenAPI document the traffic of a run covered: documented statuses and violated constraints. */
export type Coverage = {
  points: number;
  seen: number;
  operations: OperationCoverage[];
  /** Points without any exchange. A gap without a reason is a fault of the suite. */
  gaps: Gap[];
};

export type OperationCoverage = { operation: string; statuses: Point[]; constraints: Point[] };

/** A status or a constraint, and how many exchanges covered it. */
export type Point = { name: string; times: number };

export type Gap = { operation: string; point: string; reason: string | null };

export type Observer = { observe: (one: Observed) => void; coverage: () => Coverage };

type Operation = {
  operation: string;
  statuses: Map<string, number>;
  constraints: Map<string, number>;
  broken: (one: Observed, params: Params) => string[];
};

type Params = Readonly<Record<string, string>>;

export async function observeTraffic(api: ApiName, contract: ApiContract): Promise<Observer> {
  // Loaded on demand, because a run of a few checks does not need them.
  const { Ajv: Validator } = await import('ajv');
  const ajv = new Validator({ strict: false, allErrors: true, validateFormats: false });
  const documented = operationsOf(readDocument(contract.service));
  const find = operationFinder(documented, contract.parameterForm);
  const operations = documented.map((operation) => readOperation(operation, ajv));
  const byId = new Map(operations.map((one) => [one.operation, one]));
  const methods = ['GET', 'POST', 'DELETE'];
  return {
    observe: (one) => {
      const found = find(one.method, one.path);
      const asked = byId.get(found?.operation.operationId ?? '');
      if (found !== null && asked !== undefined) {
        count(asked.statuses, String(one.status));
        for (const point of asked.broken(one, found.params)) count(asked.constraints, point);
      } else if (one.status === 405) {
        // The document has the status 405 at every operation of the path.
        for (const method of methods) {
          const near = byId.get(find(method, one.path)?.operation.operationId ?? '');
          if (near !== undefined) count(near.statuses, '405');
        }
      }
    },
    coverage: () => summarise(api, operations),
  };
}

/** Ignores undocumented points, which the response contract reports. */
function count(points: Map<string, number>, name: string) {
  const times = points.get(name);
  if (times !== undefined) points.set(name, times + 1);
}

function summarise(api: ApiName, operations: readonly Operation[]): Coverage {
  const rows = operations.map(({ operation, statuses, constraints }) => ({
    operation,
    statuses: pointsOf(statuses),
    constraints: pointsOf(constraints),
  }));
  const points = rows.flatMap(({ operation, statuses, constraints }) =>
    [...statuses, ...constraints].map((point) => ({ operation, ...point })),
  );
  const missing = points.filter((point) => point.times === 0);
  const gaps = missing.map(({ operation, name }) => ({
    operation,
    point: name,
    reason: reasonOf(api, operation, name),
  }));
  return { points: points.length, seen: points.length - missing.length, operations: rows, gaps };
}

const pointsOf = (points: ReadonlyMap<string, number>): Point[] =>
  [...points].map(([name, times]) => ({ name, times }));

function reasonOf(api: ApiName, operation: string, point: string): string | null {
  const found = coverageReasons[api].find(
    (one) => one.point === point && (one.operations === 'all' || one.operations.includes(operation)),
  );
  return found?.reason ?? null;
}

/** The faults of a complete run: gaps without a reason, and reasons without a gap. */
export function coverageFaults(api: ApiName, { gaps, operations }: Coverage): string[] {
  const open = gaps.filter((gap) => gap.reason === null);
  const idle = coverageReasons[api].flatMap(({ operations: named, point }) => {
    const all = named === 'all' ? operations.map((one) => one.operation) : named;
    const needed = all.filter((id) => gaps.some((gap) => gap.operation === id && gap.point === point));
    if (named === 'all') return needed.length === 0 ? [`all ${point}`] : [];
    return all.filter((id) => !needed.includes(id)).map((id) => `${id} ${point}`);
  });
  return [
    ...open.map(({ operation, point }) => `${operation} ${point}: not covered, without a reason`),
    ...idle.map((what) => `${what}: has a reason but is covered`),
  ];
}

function readOperation(operation: DocumentedOperation, ajv: Ajv): Operation {
  const validators = [
    ...operation.pathParameters.map(({ name, schema }) => parameterValidator(name, asObject(schema, name), ajv)),
    ...(operation.bodySchema === null ? [] : [bodyValidator(operation.bodySchema, ajv)]),
  ];
  return {
    operation: operation.operationId,
    statuses: new Map([...operation.responses.keys()].map((status) => [status, 0])),
    constraints: new Map(validators.flatMap(({ points }) => points).map((point) => [point, 0])),
    broken: (one, params) => validators.flatMap((validator) => validator.broken(one, params)),
  };
}

type Validator = Pick<Operation, 'broken'> & { points: string[] };

function parameterValidator(name: string, schema: JsonObject, ajv: Ajv): Validator {
  const validate = ajv.compile(schema);
  return {
    points: constraintsOf(schema, name),
    broken: (_one, params) => brokenBy(validate, params[name], name),
  };
}

function bodyValidator(schema: JsonObject, ajv: Ajv): Validator {
  const validate = ajv.compile(schema);
  return {
    points: constraintsOf(schema, 'body'),
    broken: ({ requestBody: bytes }) => {
      const value = parseJson(bytes.toString('utf8'));
      return value === undefined ? [] : brokenBy(validate, value, 'body');
    },
  };
}

function brokenBy(validate: ValidateFunction, value: unknown, at: string): string[] {
  validate(value);
  const points = (validate.errors ?? []).map(({ schemaPath, params }) => {
    const missing = params.missingProperty === undefined ? '' : `/${params.missingProperty}`;
    return nameOf(at, `${schemaPath}${missing}`);
  });
  return [...new Set(points)];
}

/** `#/properties/port/maximum` of a body is `body.port maximum`. */
function nameOf(at: string, schemaPath: string): string {
  const [, properties = '', keyword = ''] = /^#((?:\/properties\/[^/]+)*)\/(.+)$/.exec(schemaPath) ?? [];
  return `${at}${properties.replaceAll('/properties/', '.')} ${keyword}`;
}

const keywords = ['type', 'minLength', 'maxLength', 'pattern', 'minimum', 'maximum', 'enum', 'format'];

/** All constraints of a schema that a value can violate. */
function constraintsOf(schema: JsonObject, at: string): string[] {
  const own = keywords.filter((keyword) => schema[keyword] !== undefined);
  const required = asArray(schema.required ?? [], at).map((name) => `required/${name}`);
  const closed = schema.additionalProperties === false ? ['additionalProperties'] : [];
  return [
    ...[...own, ...required, ...closed].map((keyword) => `${at} ${keyword}`),
    ...Object.entries(asObject(schema.properties ?? {}, at)).flatMap(([name, one]) =>
      constraintsOf(asObject(one, name), `${at}.${name}`),
    ),
  ];
}

/** Why a complete run cannot cover a point of an OpenAPI document. */
type CoverageReason = {
  /** The operations whose point may be missing. */
  operations: 'all' | readonly string[];
  point: string;
  reason: string;
};

const unknownFault = 'no request can cause an unexpected error; unit tests do';
const fullQueue = 'only a hundred changes that wait cause it; unit tests do';
const alwaysText = 'a path parameter is always a string';
const noPath = 'a path with such a segment is not in the document: it is refused as unknown';
const ownLimit = "a limit of boxgate's own, whose proof is a unit test";
const ownField = "a field of boxgate's own, which the suite does not send; unit tests do";
const malformed = 'malformed HTTP is tried on other paths';
const boxActions = ['heartbeatBox', 'rotateBoxToken', 'deregisterBox'];
const withBoxToken = [...boxActions, 'listRoutes', 'publishRoute', 'unpublishRoute'];

const ofLogin = ['login type', 'login maxLength', 'login pattern', 'password_hash type', 'password_hash pattern'];
const accessPoints = [' type', ...[...ofLogin, 'allow type', 'open_paths type'].map((point) => `.${point}`)].map(
  (point) => `body.access${point}`,
);

const coverageReasons: Record<ApiName, readonly CoverageReason[]> = {
  box: [
    { operations: 'all', point: '500', reason: unknownFault },
    { operations: 'all', point: '503', reason: fullQueue },
    { operations: ['getAppSettings', 'updateAppSettings', 'updateApp'], point: 'name type', reason: alwaysText },
  ],
  gateway: [
    { operations: 'all', point: '500', reason: unknownFault },
    { operations: boxActions, point: 'box_id type', reason: alwaysText },
    { operations: boxActions, point: 'box_id minLength', reason: noPath },
    { operations: boxActions, point: 'box_id pattern', reason: noPath },
    { operations: ['unpublishRoute'], point: 'route_id type', reason: alwaysText },
    { operations: ['unpublishRoute'], point: 'route_id minLength', reason: noPath },
    { operations: ['unpublishRoute'], point: 'route_id pattern', reason: noPath },
    { operations: withBoxToken, point: '413', reason: ownLimit },
    { operations: withBoxToken.filter((operation) => operation !== 'publishRoute'), point: '400', reason: malformed },
    { operations: ['registerBox'], point: 'body.registration_token type', reason: ownLimit },
    { operations: ['registerBox'], point: 'body.box_name minLength', reason: ownLimit },
    { operations: ['registerBox'], point: 'body.box_name maxLength', reason: ownLimit },
    { operations: ['publishRoute'], point: 'body.app_name maxLength', reason: ownLimit },
    { operations: ['publishRoute'], point: 'body.subdomain maxLength', reason: ownLimit },
    ...accessPoints.map((point) => ({ operations: ['publishRoute'], point, reason: ownField })),
  ],
};
