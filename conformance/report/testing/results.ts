import fc from 'fast-check';
import { check } from '../../kernel/check.ts';
import { readRules } from '../../kernel/rules.ts';
import type { Coverage } from '../../run/coverage.ts';
import type { Outcome, Result } from '../../run/result.ts';
import { specificationDigest, suiteVersion } from '../../run/suite.ts';
import type { RunFacts } from '../report.ts';
import type { ShownExchange } from '../shown-exchange.ts';

/** Facts of a run of the box, for tests that invent its results. */
export const facts: RunFacts = {
  suite: 'boxgate box',
  suiteVersion,
  specification: specificationDigest(),
  api: 'box',
  seed: 7,
  exec: 'box serve',
  profile: '',
  levels: ['must', 'should'],
  required: ['must'],
  noLate: false,
  set: 'all',
  without: [],
  command: "boxgate conformance box --exec 'box serve' --seed 7",
  complete: true,
  named: [],
  rules: new Map([...readRules('box')].filter(([id], index) => index < 40 || id === 'should/box/503')),
  coverage: null,
};

export const ruleIds: readonly string[] = [...facts.rules.keys()];

export const result = (id: string, rules: string[], outcome: Outcome): Result => ({
  check: check(`box/test/${id}`, rules, `obligation of ${id}`, async () => {}),
  level: 'must',
  added: false,
  outcome,
  reason: outcome === 'pass' ? '' : 'it does not',
  exchanges: [],
  script: '',
  isShortest: false,
  evidence: [],
  seenIn: null,
  notJson: null,
  durationMs: 12.4,
});

export const exchange: ShownExchange = {
  method: 'GET',
  path: '/api/apps',
  request_headers: {},
  request_body: '',
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: '[]',
};

export const coverage: Coverage = {
  points: 3,
  seen: 1,
  operations: [
    {
      operation: 'listApps',
      statuses: [
        { name: '200', times: 3 },
        { name: '500', times: 0 },
      ],
      constraints: [{ name: 'body type', times: 0 }],
    },
  ],
  gaps: [
    { operation: 'listApps', point: '500', reason: 'nobody can bring it about' },
    { operation: 'listApps', point: 'body type', reason: null },
  ],
};

/** Any text, including lone surrogates. The arbitrary of fast-check takes seconds to initialise. */
export const anyText = (constraints: fc.ArrayConstraints = {}): fc.Arbitrary<string> =>
  fc.array(fc.oneof(fc.nat(0xff), fc.nat(0x10ffff)), constraints).map((codes) => String.fromCodePoint(...codes));
