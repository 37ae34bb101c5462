import { StoreFailed } from '../ports.ts';

/** For a `catch` where no change has a line in the log: writes why the store failed, and throws the error again. */
export function noteStoreFault(warn: (text: string) => void): (error: unknown) => never {
  return (error) => {
    if (error instanceof StoreFailed) warn(error.message);
    throw error;
  };
}
