import { coalesce } from './coalesce.ts';

/**
 * Makes a call that runs a task in the background, and once more if it is called meanwhile.
 * @param failed - gets the message of a failure, unless the run before failed with the same
 */
export function again(task: () => Promise<void>, failed: (message: string) => void): () => void {
  let told = '';
  const run = coalesce(async () => {
    const message = await task().then(
      () => '',
      (error: Error) => error.message,
    );
    if (message !== told && message !== '') failed(message);
    told = message;
  });
  return () => void run();
}
