import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandFailed } from '../lib/process/run-command.ts';
import type { ResticFault } from './ports.ts';
import { resticFailed, shownAddress } from './restic-failure.ts';

const failed = (stderr: string, status: number, more: object = {}) =>
  new CommandFailed(
    ['restic', 'x'],
    { status, signal: null, stdout: '', stderr, timedOut: false, notFound: false, isCut: false, ...more },
    'reason',
  );

/** As restic 0.14 and 0.18 print them. */
const recorded: [ResticFault, string, number, RegExp][] = [
  [
    'no-repository',
    'Fatal: unable to open config file: stat /x/config: no such file or directory\nIs there a repository at the following location?\n/x',
    1,
    /not at \/x\. Is its disk mounted/,
  ],
  [
    'no-room',
    'using parent snapshot\n{"message_type":"error","error":{"message":"x"},"item":"/x"}\n{"message_type":"exit_error","code":1,"message":"Fatal: unable to save: write /x/tmp: no space left on device\\nmore"}',
    1,
    /^there is no room left \(unable to save: write \/x\/tmp: no space left on device\)$/,
  ],
  [
    'no-repository',
    'Fatal: repository does not exist: unable to open config file\n{"message_type":"exit_error"}',
    10,
    /not at/,
  ],
  [
    'away',
    'Fatal: unable to open config file: client.Head: Head "http://u:***@127.0.0.1:9/x/config": dial tcp 127.0.0.1:9: connect: connection refused\nIs there a repository at the following location?\nrest:http://u:***@127.0.0.1:9/x/',
    1,
    /does not answer/,
  ],
  ['away', 'subprocess ssh: ssh: connect to host nas port 22: No route to host', 1, /does not answer/],
  [
    'away',
    'Save(<data/6f>) returned error, retrying after 1.2s: Post "http://u:***@nas/": dial tcp: connect: connection refused\nFatal: unable to save snapshot: context canceled',
    1,
    /does not answer \(Post "http:\/\/u:\*\*\*@nas\/": dial tcp: connect: connection refused\)$/,
  ],
  [
    'away',
    'Fatal: unable to start the sftp session, error: EOF',
    1,
    /does not answer .*; ssh to this server, as root, says/,
  ],
  [
    'away',
    'subprocess ssh: Host key verification failed.\nFatal: unable to open repository at sftp:nas:/x: unable to start the sftp session, error: EOF',
    1,
    /does not answer \(Host key verification failed\.\); root does not know the key of this server/,
  ],
  [
    'away',
    'subprocess ssh: @    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\nsubprocess ssh: Host key verification failed.\nFatal: unable to start the sftp session, error: EOF',
    1,
    /; the server has another key than before/,
  ],
  [
    'away',
    'subprocess ssh: root@nas: Permission denied (publickey).\nFatal: unable to start the sftp session, error: EOF',
    1,
    /\(root@nas: Permission denied \(publickey\)\.\); the server does not take root's key/,
  ],
  [
    'away',
    'subprocess ssh: ssh: Could not resolve hostname nas: Name or service not known\nFatal: unable to start the sftp session, error: EOF',
    1,
    /\(Could not resolve hostname nas: Name/,
  ],
  [
    'away',
    'Fatal: unable to open repository at sftp:nas:/x: cmd.Start: exec: "ssh": executable file not found in $PATH',
    1,
    /does not answer \(.*exec: "ssh": executable file not found in \$PATH\)$/,
  ],
  [
    'no-repository',
    "subprocess ssh: Warning: Permanently added 'nas' (ED25519) to the list of known hosts.\nFatal: unable to open config file: Lstat: file does not exist\nIs there a repository at the following location?\nsftp:nas:/x",
    1,
    /not at/,
  ],
  [
    'read-only',
    'Save(<lock/43>) returned error, retrying after 8.2s: open /x/locks/43-tmp-2: read-only file system\nFatal: unable to create lock in backend: context canceled',
    1,
    /^the disk is read-only \(open \/x\/locks\/43-tmp-2: read-only file system\)$/,
  ],
  ['wrong-key', 'Fatal: wrong password or no key found', 1, /another key/],
  ['wrong-key', '', 12, /another key/],
  ['no-key', 'Fatal: Resolving password failed: Fatal: /k does not exist', 1, /cannot be read/],
  ['no-key', 'Fatal: an empty password is not a password', 1, /cannot be read/],
  ['locked', 'unable to create lock in backend: repository is already locked by PID 7 on box', 1, /try again/],
  ['locked', '', 11, /try again/],
  ['no-room', 'Fatal: unable to save snapshot: write /x/tmp: no space left on device', 1, /no room left .*no space/],
  ['no-snapshot', 'invalid id "dead": no matching ID found for prefix "dead"', 1, /no such/],
  [
    'damaged',
    'panic: runtime error: slice bounds out of range [16:5]\n\ngoroutine 1 [running]:\n\tgithub.com/restic/internal/restic/config.go:72 +0x7c',
    2,
    /damaged; .*\(panic: runtime error: slice bounds out of range \[16:5\]\)$/,
  ],
  [
    'damaged',
    'config file has zero size, invalid repository?\nmain.open\n\tgithub.com/restic/global.go:760',
    1,
    /damaged; .*\(config file has zero size, invalid repository\?\)$/,
  ],
  ['damaged', 'Fatal: config or key 713a is damaged: ciphertext verification failed', 1, /\(config or key 713a is/],
  ['damaged', 'Fatal: Unmarshal: unexpected end of JSON input', 1, /damaged/],
  ['damaged', 'using parent snapshot 5f65\nLoadRaw(<index/f423>): invalid data returned', 1, /\(LoadRaw/],
  ['failed', 'warning\nFatal: something new', 1, /^restic failed \(something new\)$/],
  ['failed', '', 1, /^restic failed \(status 1\)$/],
];

for (const [fault, stderr, status, message] of recorded) {
  test(`${fault}: ${stderr.slice(0, 40)} ${status}`, () => {
    const error = resticFailed(failed(stderr, status), '/x');
    assert.equal(error.fault, fault);
    assert.match(error.message, message);
    assert.ok(error.message.length < 1000);
  });
}

test('one cause has one text, whatever part of the repository and connection it hit', () => {
  const texts = ['6f3a', '77be'].map((part, i) => {
    const hash = part.repeat(16);
    const said = `Save(<data/${hash}>) returned error, retrying after 1.2s: Post "http://nas/data/${hash}": read tcp 10.0.0.1:5${i}123->10.0.0.2:80: connection reset by peer`;
    return resticFailed(failed(said, 1), '/x').message;
  });
  assert.equal(texts[0], texts[1]);
  assert.ok(!texts[0]?.includes('6f3a'));
});

test('no password of an address is in a message, also if restic cannot read the address', () => {
  const address = 'rest:http://me:PASS/WORD@nas/';
  for (const said of [
    'Fatal: parsing repository location failed: url.Parse: parse "http://me:PASS/WORD@nas/": invalid port',
    `Fatal: unable to open repository at ${address}: dial tcp: connection refused`,
  ])
    assert.doesNotMatch(resticFailed(failed(said, 1), address).message, /PASS|WORD/);
});

test('says how to get a program that is missing, and that one did not end', () => {
  assert.match(resticFailed(failed('', 1, { notFound: true }), '/x').message, /apt install restic/);
  const late = failed('Stat(<config/>) returned error, retrying: connection refused', 1, { timedOut: true });
  assert.match(resticFailed(late, '/x').message, /does not answer \(it did not end in time/);
});

test('shows an address without its password', () => {
  assert.equal(shownAddress('rest:https://me:p@ss@nas:8000/x'), 'rest:https://me:***@nas:8000/x');
  assert.equal(shownAddress('rest:https://me:p/w@nas:8000/x'), 'rest:https://me:***@nas:8000/x');
  for (const address of ['/srv/b', 'sftp:me@nas:/b', 's3:https://s3.example.org/b'])
    assert.equal(shownAddress(address), address);
});
