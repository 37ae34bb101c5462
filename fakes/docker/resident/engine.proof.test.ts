/** Runs the cases with a resident thread. */
process.env.BOXGATE_DOCKER = 'resident';
await import('../engine.proof.test.ts');

export {};
