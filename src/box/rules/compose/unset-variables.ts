/** The variables that nothing sets, as Compose names them. They are empty then. */
export function unsetVariables(said: string): string[] {
  const names = [...said.matchAll(/The \\?"([A-Za-z_][A-Za-z0-9_]{0,200})\\?" variable is not set/g)];
  return [...new Set(names.map(([, name = '']) => name))];
}
