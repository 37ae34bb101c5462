/** A variable that the scripts of the parts set. */
export function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`${name} is not set: start these tests with .ci/run`);
  return value;
}
