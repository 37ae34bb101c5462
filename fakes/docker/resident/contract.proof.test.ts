/** Runs the cases with a resident thread. */
process.env.BOXGATE_DOCKER = 'resident';
await import('../contract.proof.test.ts');

export {};
