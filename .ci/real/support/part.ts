import { execFile } from 'node:child_process';

export function part(...argv: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile('bash', ['.ci/part', ...argv], (error, _stdout, stderr) => {
      if (error === null) resolve();
      else reject(new Error(`${argv.join(' ')}: ${stderr}`, { cause: error }));
    });
  });
}
