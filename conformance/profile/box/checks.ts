import type { BoxContext } from '../../checks/box/context.ts';
import type { Check } from '../../kernel/check.ts';

/** The checks of what boxgate's own box promises beyond the public suite. They run with `--profile boxgate`. */
export const boxProfileChecks: Check<BoxContext>[] = [];
