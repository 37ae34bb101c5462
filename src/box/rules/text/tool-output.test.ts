import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawnLine, failureText, logEnd, toolLines } from './tool-output.ts';

/** Standard error of Compose 2.26.1 after `up` pulled an image and the engine refused a mount. */
const refusedMount = ` web Pulling 
 c33078707d30 Pulling fs layer 
 c33078707d30 Downloading [=>                                                 ]  36.45kB/1.069MB
 c33078707d30 Verifying Checksum 
 c33078707d30 Extracting [==================================================>]  1.069MB/1.069MB
 c33078707d30 Pull complete 
 web Pulled 
 Network x_default  Creating
 Network x_default  Created
 Container x-web-1  Creating
 Container x-web-1  Created
 Container x-web-1  Starting
Error response from daemon: error while creating mount source path '/proc/nope': mkdir /proc/nope: no such file or directory
`;

test('removes control characters, and keeps the last state of a redrawn line', () => {
  const drawn =
    '\x1b[1A\x1b[2K\x1b]0;title\x07 50 %\r 99 %\r\r\n\x1b[31mred\x1b[0m\x1b=\x07\n\n\x1b]8;;x\x1b\\link\x1b\n';
  assert.deepEqual(toolLines(drawn), ['99 %', 'red', 'link']);
  assert.deepEqual(toolLines('a\tb\r\nc\x9b1m'), ['a\tb', 'c']);
});

test('shows a line as a terminal leaves it', () => {
  const cases: [line: string, shown: string][] = [
    ['\x1b[2K\x1b[1Gpulling 10%\r20%\r100%', '100%'],
    ['  indented  ', '  indented  '],
    ['99 %\r\x1b[K', '99 %'],
    ['old\x1b[2Knew', 'new'],
    ['old\x1b[Gnew', 'new'],
    ['old\x1b[H\x1b[2Jnew', 'new'],
    ['old\x1b[1;1Hnew\x1bc', 'new'],
    ['9%\x1b[2D10%', '10%'],
    ['9\x1b[D10', '10'],
    ['cut off\x1b[1;31', 'cut off'],
    ['\x9d0;title\x9ca\x90secret\x07b', 'ab'],
    ['\x1b[?25lhidden cursor\x1b[?25h', 'hidden cursor'],
    ['\x1b(Bcharset\x1b)0\x1b7\x1b[', 'charset'],
    ['a\x1bPsecret\x1b\\b\x1b]0;title\x07c\x9b31md', 'abcd'],
    ['|\b/\b-\b', '-'],
    ['1%\b\b20%\b\b\b100%\x07', '100%'],
    ['a\b\b\bb', 'b'],
  ];
  for (const [line, shown] of cases) assert.equal(drawnLine(line), shown, JSON.stringify(line));
});

test("gives the reason of Compose's failure, not its progress", () => {
  assert.equal(
    failureText(refusedMount),
    "Error response from daemon: error while creating mount source path '/proc/nope': mkdir /proc/nope: no such file or directory",
  );
  assert.equal(
    failureText(
      ' Container x-web-1  Waiting\n Container x-web-1  Error\ndependency failed to start: container x-web-1 is unhealthy\n',
    ),
    'dependency failed to start: container x-web-1 is unhealthy',
  );
});

test('gives the reason once if Compose repeats it for each service', () => {
  const words = 'manifest for registry/nope:1 not found: manifest unknown';
  const repeated = ` b Pulling \n web Pulling \n b Error ${words}\n web Error ${words}\nError response from daemon: ${words}\n`;
  assert.equal(failureText(repeated), `Error response from daemon: ${words}`);
  assert.equal(failureText('no\nno\n'), 'no');
});

test('also finds the reason after progress drawn for a terminal', () => {
  const drawn =
    '\x1b[1A\x1b[1B\x1b[0G\x1b[?25l[+] Running 1/2\n \x1b[32m✔\x1b[0m Network a  Created  0.1s\n ⠋ Container a-1  Starting  10.2s\r';
  assert.equal(failureText(`${drawn}\n\x1b[31mno space left on device\x1b[0m`), 'no space left on device');
  assert.equal(
    failureText('#5 [2/2] RUN false\n#5 ERROR: exit code: 1\nfailed to solve: exit code: 1'),
    'failed to solve: exit code: 1',
  );
});

test('says once what the engine and Compose say of one container', () => {
  const said = 'Error response from daemon: Conflict. The container name "/a" is already in use.';
  assert.equal(failureText(` Container b-web-1 ${said}\n Container b-web-1  Error ${said}\n${said}\n`), said);
});

test('unwraps a warning, and leaves out the one about the obsolete version key', () => {
  const log = (text: string) => `time="2026-11-23T01:21:28Z" level=warning msg="${text}"\n`;
  assert.equal(
    failureText(
      `${log('/a/compose.yaml: `version` is obsolete')}${log('The \\"A\\" service is old.')}invalid compose project\n`,
    ),
    'The "A" service is old. / invalid compose project',
  );
});

test('should/box/17: leaves out unset variables, because after a "$" the rest of a password counts as one', () => {
  const unset =
    'time="2026-11-23T01:21:28Z" level=warning msg="The \\"tango77\\" variable is not set. Defaulting to a blank string."\n';
  assert.equal(failureText(`${unset}invalid compose project\n`), 'invalid compose project');
  assert.equal(failureText(unset), 'nothing');
});

test('gives the progress if there is nothing else, and the last of many lines', () => {
  assert.equal(failureText(' Container a-1  Creating\n Container a-1  Starting\n'), 'Container a-1  Starting');
  assert.equal(failureText(' \n'), 'nothing');
  assert.equal(failureText('1\n2\n3\n4\n5\n6\n'), '2 / 3 / 4 / 5 / 6');
});

test('joins the last five lines', () => {
  assert.equal(logEnd('1\n2\n3\n\n4\n5\n6\n'), '2 / 3 / 4 / 5 / 6');
  assert.equal(logEnd('\n'), '');
});

test('cuts long lines, but no character', () => {
  assert.equal(logEnd(`${'x'.repeat(201)}\nend`), `${'x'.repeat(200)}… / end`);
  assert.ok(logEnd(`${'x'.repeat(199)}😀`).isWellFormed());
});
