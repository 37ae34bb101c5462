/** The cases of the stand-in, with a launcher that hands its calls on to a thread. */
process.env.BOXGATE_DOCKER = 'resident';
await import('../contract-events.test.ts');

export {};
