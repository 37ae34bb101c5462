/** Runs the cases with a resident thread. */
process.env.BOXGATE_DOCKER = 'resident';
await import('../contract-refusals.proof.test.ts');

export {};
