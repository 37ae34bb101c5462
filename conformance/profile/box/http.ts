import { library } from '../../checks/box/apps.ts';
import type { BoxContext } from '../../checks/box/context.ts';
import { followsHttp } from '../../checks/http/cases.ts';
import { type Check, check } from '../../kernel/check.ts';
import { ensure, equal } from '../../kernel/expect.ts';

const service = {
  get: '/api/bundled',
  post: '/api/apps/remove',
  maxBodyBytes: 2 ** 20,
  unknownMethod: 405,
};

export const checks: Check<BoxContext>[] = [
  check(
    'box/http/corpus',
    ['choice/box/14'],
    'refuses or answers any bytes, never with more responses than requests, and keeps serving',
    (box) => followsHttp(box.raw, service),
    { shared: library, timeoutMs: 90_000 },
  ),
  check(
    'box/showPage/content-security-policy',
    ['choice/box/59'],
    "has a policy that allows only the page's own resources",
    async (box) => {
      const policy = (await box.get('/')).headers['content-security-policy'] ?? '';
      const directives = new Map(
        policy.split(';').map((part) => {
          const [name = '', ...values] = part.trim().split(/\s+/);
          return [name, values] as const;
        }),
      );
      equal('default-src', directives.get('default-src'), ["'none'"]);
      equal('connect-src', directives.get('connect-src'), ["'self'"]);
      const scripts = directives.get('script-src') ?? [];
      ensure(
        'script-src is hashes or nonces',
        scripts.length > 0 && scripts.every((one) => /^'(sha\d+|nonce)-/.test(one)),
        scripts,
      );
      ensure('no inline attributes or evaluation', !/unsafe-eval|\*/.test(policy), policy);
    },
    { shared: library },
  ),
];
