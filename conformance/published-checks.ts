import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Operation, operationFinder, operationsOf, readDocument } from '../spec/document.ts';
import { boxApi } from './checks/box/api.ts';
import { boxContract } from './checks/box/contract.ts';
import { gatewayApi } from './checks/gateway/api.ts';
import { gatewayContract } from './checks/gateway/contract.ts';
import { type AnyCheck, levelOf } from './kernel/check.ts';
import { headersAndBody } from './kernel/exchange.ts';
import type { Journal } from './kernel/journal.ts';
import { type Level, type Rule, readRules } from './kernel/rules.ts';
import type { ApiName } from './run/api.ts';
import { suiteVersion } from './run/suite.ts';

export const checksFile = join(import.meta.dirname, '..', 'spec', 'checks.json');

/** The requirements and the checks of the public suite as data, for other programs. `spec/checks.schema.json` is the schema. */
export type PublishedChecks = {
  suite_version: string;
  requirements: (Pick<Rule, 'id' | 'reason' | 'source' | 'text'> & {
    api: ApiName;
    level: Level;
    checked_by: Rule['checkedBy'];
  })[];
  checks: PublishedCheck[];
};

export type PublishedCheck = {
  id: string;
  api: ApiName;
  level: Level;
  rules: string[];
  title: string;
  /** What the check sent in each of two runs with different seeds, in this order. `null` if it was never recorded. */
  requests: PublishedRequest[] | null;
};

export type PublishedRequest = {
  method: string;
  /** The path, or the path of the OpenAPI document if it differed between the runs. */
  path: string;
  /** The `operationId`. `null` if the OpenAPI document has no such request. */
  operation: string | null;
  /** Absent without a body. `null` if it differed between the runs, or is long or no UTF-8. */
  body?: string | null;
};

const suites = [
  ['box', boxApi.checks],
  ['gateway', gatewayApi.checks],
] as const;

/** Everything except the requests follows from the sources. The requests of a check are given by its id. */
export function publishedChecks(requestsOf: (id: string) => PublishedRequest[] | null): PublishedChecks {
  return {
    suite_version: suiteVersion,
    requirements: suites.flatMap(([api]) =>
      [...readRules(api).values()].flatMap(({ id, level, reason, source, text, checkedBy }) =>
        level === 'must' || level === 'should' ? [{ id, api, level, reason, source, text, checked_by: checkedBy }] : [],
      ),
    ),
    checks: suites.flatMap(([api, checks]) => checks.map((check) => published(api, check, requestsOf(check.id)))),
  };
}

function published(api: ApiName, check: AnyCheck, requests: PublishedRequest[] | null): PublishedCheck {
  const { id, rules, title } = check;
  return { id, api, level: levelOf(check), rules, title, requests };
}

/** One requirement or check per line, so that a difference between two versions is readable. */
export function printChecks({ suite_version, requirements, checks }: PublishedChecks): string {
  const lines = (rows: readonly object[]) => rows.map((row) => `    ${JSON.stringify(row)}`).join(',\n');
  return `{
  "suite_version": ${JSON.stringify(suite_version)},
  "requirements": [
${lines(requirements)}
  ],
  "checks": [
${lines(checks)}
  ]
}
`;
}

/** The recorded requests of the file, by check. */
export function readRecorded(): (id: string) => PublishedRequest[] | null {
  const { checks }: PublishedChecks = JSON.parse(readFileSync(checksFile, 'utf8'));
  const byId = new Map(checks.map(({ id, requests }) => [id, requests]));
  return (id) => byId.get(id) ?? null;
}

type Sent = { method: string; path: string; body: Buffer };

/** The requests of a journal. Bytes of raw sockets are left out, because they need not be requests. */
export function sentIn(journal: Journal): Sent[] {
  return journal.flatMap((entry) => {
    if (entry.by !== 'request') return [];
    const { method, path } = entry.request;
    return [{ method, path, body: headersAndBody(entry.request).body }];
  });
}

/**
 * The requests that do not depend on the run: those of both runs, each once. A request that differs has the parts that
 * are the same: the path of its operation, or its method and path without the body.
 */
export function inBoth(api: ApiName, one: readonly Sent[], other: readonly Sent[]): PublishedRequest[] {
  const describe = finders[api]();
  const forms = (sent: Sent) => describe(sent).map((request) => JSON.stringify(request));
  const others = new Set(other.flatMap(forms));
  const found = one.flatMap((sent) => forms(sent).find((form) => others.has(form)) ?? []);
  return [...new Set(found)].map((form) => JSON.parse(form));
}

const finders: Record<ApiName, () => (sent: Sent) => PublishedRequest[]> = {
  box: () => describer('box', boxContract.parameterForm),
  gateway: () => describer('gateway', gatewayContract.parameterForm),
};

/** Makes a function that describes a request, from its exact form to its most general one. */
function describer(api: ApiName, parameterForm: string) {
  const find = operationFinder(operationsOf(readDocument(api)), parameterForm);
  return ({ method, path, body: bytes }: Sent): PublishedRequest[] => {
    const operation: Operation | null = find(method, path)?.operation ?? null;
    const head = { method, path, operation: operation?.operationId ?? null };
    const bodies: Pick<PublishedRequest, 'body'>[] = bytes.length === 0 ? [{}] : [...exactBody(bytes), { body: null }];
    const paths = operation === null ? [path] : [path, operation.path];
    return paths.flatMap((one) => bodies.map((body) => ({ ...head, path: one, ...body })));
  };
}

const longestBody = 300;

function exactBody(bytes: Buffer): { body: string }[] {
  const text = bytes.toString('utf8');
  return text.length <= longestBody && Buffer.from(text).equals(bytes) ? [{ body: text }] : [];
}
