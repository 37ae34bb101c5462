import { isUtf8 } from 'node:buffer';
import { userInfo } from 'node:os';
import { readRegularFile } from '../../lib/files/read-file.ts';
import { UsageError } from './usage-error.ts';

const largestSecretBytes = 64 * 1024;

/**
 * The secret in the variable, or in the file that the variable `…_FILE` names, without the file's last line break.
 * Undefined if neither is set. Throws UsageError if the file contains something else than a secret.
 */
export function givenSecret(variable: string, env: NodeJS.ProcessEnv): string | undefined {
  const { [variable]: text = '', [`${variable}_FILE`]: file = '' } = env;
  if (text !== '' && file !== '')
    throw new UsageError(`${variable} and ${variable}_FILE are both set; set only one of them`);
  if (file === '') return text === '' ? undefined : text;
  return secretIn(file, (problem) => new UsageError(`${variable}_FILE: ${problem}`));
}

function secretIn(file: string, failed: (problem: string) => UsageError): string {
  const bytes = secretBytes(file, failed);
  if (bytes === 'nothing') throw failed(`there is no file ${file}`);
  if (bytes === 'no file') throw failed(`${file} is not a regular file`);
  if (bytes.length > largestSecretBytes) throw failed(`${file} is larger than 64 KiB`);
  if (!isUtf8(bytes)) throw failed(`${file} is not UTF-8 text`);
  const secret = bytes.toString('utf8').replace(/\r?\n$/, '');
  const problem = secretProblem(secret);
  if (problem !== null) throw failed(`${file} ${problem}`);
  return secret;
}

/** Editors leave these in a file beside the secret; nobody would see why the secret is refused. */
function secretProblem(secret: string): string | null {
  if (secret === '') return 'is empty';
  if (secret.includes('\0')) return 'has a NUL byte';
  const found = beside.find(([form]) => form.test(secret));
  return found === undefined ? null : `has ${found[1]}: write the secret alone into it, on one line`;
}

const beside: readonly (readonly [RegExp, string])[] = [
  [/^\ufeff/, 'a byte-order mark before the secret'],
  [/[\r\n]$/, 'more than one line end after the secret'],
  [/[\r\n\u2028\u2029]/, 'more than one line'],
  [/^\s/, 'a blank before the secret'],
  [/\s$/, 'a blank after the secret'],
  [/(?![\u200c\u200d])[\p{Cc}\p{Cf}]/u, 'an invisible character in the secret'],
];

function secretBytes(file: string, failed: (problem: string) => UsageError) {
  try {
    return readRegularFile(file, largestSecretBytes + 1, 'followed');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EACCES') throw failed(`cannot read ${file}: ${code}`);
    const { username, gid } = userInfo();
    throw failed(`the user ${username} may not read ${file}: chgrp ${gid} ${file} && chmod 640 ${file}`);
  }
}
