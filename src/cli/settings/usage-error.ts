/** A wrong command line or variable: one line on standard error, exit status 2. */
export class UsageError extends Error {}
