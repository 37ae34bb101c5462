type Kind<Failure> = new (...parts: never[]) => Failure;

/** For a `catch`: the result for a failure of this class. Throws every other failure again. */
export function ignore<Failure, Result>(
  kind: Kind<Failure>,
  resultOf: (error: Failure) => Result,
): (error: unknown) => Result {
  return (error) => {
    if (error instanceof kind) return resultOf(error);
    throw error;
  };
}

/** The same for work that is not asynchronous. */
export function attempt<Failure, Result, Other>(
  work: () => Result,
  kind: Kind<Failure>,
  resultOf: (error: Failure) => Other,
): Result | Other {
  try {
    return work();
  } catch (error) {
    return ignore(kind, resultOf)(error);
  }
}
