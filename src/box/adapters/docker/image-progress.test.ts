import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Progress } from '../../core.ts';
import { followImages } from './image-progress.ts';

const limits = { changeMs: 900_000, silenceMs: 300_000 };

function follow() {
  const seen: Progress[] = [];
  const images = followImages((progress) => seen.push(progress), limits);
  return { ...images, last: () => seen.at(-1), seen };
}

/** As Compose 2.26 and 2.40 print it without a terminal. */
const pull = `
 small Pulling 
 web Pulling 
 29f3c21aeea6 Already exists 
 4a273277a001 Pulling fs layer 
 5b80bb830940 Pulling fs layer 
 5b80bb830940 Waiting 
 small Pulled 
 4a273277a001 Downloading [=>                        ]  97.89kB/9.082MB
`;

test('counts the bytes and layers of a pull, also of lines that come in parts', () => {
  const images = follow();
  const middle = pull.indexOf('.082MB');
  assert.equal(images.onOutput(pull.slice(0, middle)), limits.silenceMs);
  assert.deepEqual(images.last(), { step: 'pulling', layers: 1, layers_total: 3 });
  images.onOutput(pull.slice(middle));
  const begun = { step: 'pulling', layers: 1, layers_total: 3, bytes: 97_890, bytes_total: 9_082_000 };
  assert.deepEqual(images.last(), begun);
  images.onOutput(' 5b80bb830940 Downloading [=====>      ]  4.502MB/1.5GB\n');
  assert.deepEqual(images.last(), { ...begun, bytes: 97_890 + 4_502_000, bytes_total: 9_082_000 + 1_500_000_000 });
  images.onOutput(' 4a273277a001 Verifying Checksum \n 4a273277a001 Extracting [>    ]   98.3kB/9.082MB\n');
  assert.equal(images.last()?.bytes, 9_082_000 + 4_502_000);
  images.onOutput(' 4a273277a001 Pull complete \n 5b80bb830940 Download complete \n');
  assert.deepEqual(images.last(), { ...begun, layers: 2, bytes: 1_509_082_000, bytes_total: 1_509_082_000 });
});

test('images have time while something moves, and the containers after them the time of a change', () => {
  const images = follow();
  assert.equal(images.onOutput('time="x" level=warning msg="obsolete"\n'), undefined);
  assert.equal(images.isUnderWay(), false);
  assert.equal(images.onOutput(' web Pulling \n'), limits.silenceMs);
  assert.equal(images.onOutput('#6 [2/3] RUN make\n#6 0.069 hello\n'), limits.silenceMs);
  assert.equal(images.isUnderWay(), true);
  assert.equal(images.onOutput(' web  Built\n Network a_default  Creating\n'), limits.changeMs);
  assert.equal(images.onOutput(' Container a-web-1  Created\n'), undefined);
  assert.equal(images.isUnderWay(), false);
  assert.deepEqual(
    images.seen.map(({ step }) => step),
    ['pulling', 'building', 'starting'],
  );
});

// As an engine with the image store of containerd, and BuildKit, print it.
for (const [what, line] of [
  ['a pull', (bytes: string) => ` 4a273277a001 Downloading [=>     ]  ${bytes}/9.082MB\n`],
  ['a build', (bytes: string, at: string) => `#5 sha256:dc70932935 ${bytes} / 6.00MB ${at}s\n`],
] as const) {
  test(`a line that is printed again is no movement of ${what}`, () => {
    const images = follow();
    assert.equal(images.onOutput(line('1.049MB', '22.0')), limits.silenceMs);
    assert.equal(images.onOutput(line('1.049MB', '27.1') + line('1.049MB', '32.1')), undefined);
    assert.equal(images.isUnderWay(), true);
    assert.equal(images.onOutput(line('1.050MB', '37.2')), limits.silenceMs);
  });
}

test('a tool that prints something else, or nothing that ends, reports no progress', () => {
  const images = follow();
  const odd = [
    'Trying to pull docker.io/library/web:1...',
    'Copying blob 9ee4a2d7ee8d done',
    '{"status":"pulling"}',
    '',
  ];
  assert.equal(images.onOutput(odd.join('\n')), undefined);
  for (let count = 0; count < 1000; count += 1) images.onOutput('Downloading '.repeat(1000));
  images.onOutput('\n 9ee4a2d7ee8d Downloading ?/? \n');
  assert.deepEqual(images.seen, [{ step: 'pulling', layers: 0, layers_total: 1 }]);
});
