/**
 * Makes a call that runs a task in the background, and once more if it is called meanwhile.
 * @param failed - gets the message of a failure, unless the run before failed with the same
 */
export function again(task: () => Promise<void>, failed: (message: string) => void): () => void {
  let state: 'idle' | 'running' | 'again' = 'idle';
  let told = '';
  const run = async () => {
    do {
      state = 'running';
      const message = await task().then(
        () => '',
        (error: Error) => error.message,
      );
      if (message !== told && message !== '') failed(message);
      told = message;
    } while ((state as string) === 'again');
    state = 'idle';
  };
  return () => {
    if (state === 'idle') void run();
    else state = 'again';
  };
}
