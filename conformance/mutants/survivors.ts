/**
 * Mutants that no check notices, by key, each with the reason why that is right: it is the same server, or no client,
 * owner, engine or neighbour can see the difference. What a requirement or a choice states is never a reason; it is a
 * check that is missing.
 */
export const survivors: Readonly<Record<string, string>> = {};
