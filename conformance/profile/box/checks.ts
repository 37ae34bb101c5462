import type { BoxContext } from '../../checks/box/context.ts';
import { type Check, inReusedEnvironments } from '../../kernel/check.ts';
import { checks as actions } from './actions.ts';
import { checks as document } from './document.ts';
import { checks as engine } from './engine.ts';
import { checks as http } from './http.ts';
import { checks as unasked } from './unasked.ts';

/** The checks for what boxgate's own box promises beyond the public suite. They run with `--profile boxgate`. */
export const boxProfileChecks: Check<BoxContext>[] = [
  ...inReusedEnvironments(actions),
  ...inReusedEnvironments(engine),
  ...unasked,
  ...http,
  ...document,
];
