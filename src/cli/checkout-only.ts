/**
 * Runs a part of boxgate whose npm packages are not in a release. Throws an error that explains this if they are
 * missing.
 */
export async function runInCheckout<Result>(words: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'MODULE_NOT_FOUND' && code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error(
      `boxgate ${words} needs packages that are in no release: run it from the npm package: npm install boxgate`,
      { cause: error },
    );
  }
}
