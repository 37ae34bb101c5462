/** For a `catch`: the result for a failure of this class. Throws every other failure again. */
export function ignore<Kind, Result>(
  kind: new (...parts: never[]) => Kind,
  resultOf: (error: Kind) => Result,
): (error: unknown) => Result {
  return (error) => {
    if (error instanceof kind) return resultOf(error);
    throw error;
  };
}
