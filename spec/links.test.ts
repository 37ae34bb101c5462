/** Links and paths in the documents lead to files, folders and headings that exist. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, matchesGlob } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');
const pages = globSync(['*.md', 'conformance/**/*.md', 'deploy/**/*.md', 'spec/*.md', 'src/**/*.md'], { cwd: root });
const isOwnPath = /^(?:\.ci|bench|conformance|deploy|fakes|spec|src)\/[\w.*/{},()!-]*$/;

for (const page of pages) {
  const text = readFileSync(join(root, page), 'utf8');

  test(`${page}: its links lead somewhere`, () => {
    assert.deepEqual(
      linksOf(text).filter((link) => !leadsSomewhere(page, link)),
      [],
    );
  });

  test(`${page}: the paths of the repository that it names exist`, () => {
    const code = [...text.matchAll(/`([^`\n]+)`/g)].flatMap(([, words = '']) => words.split(/[\s'"]+/));
    const own = code.filter((word) => isOwnPath.test(word));
    assert.deepEqual(
      own.filter((path) => globSync(path.replace(/\/$/, ''), { cwd: root }).length === 0 && !isMade(join(root, path))),
      [],
    );
  });
  // conformance/STRENGTH.md is made by a program, with its counts.
  test(`${page}: counts no checks, because the count becomes wrong`, { skip: page.endsWith('STRENGTH.md') }, () => {
    const counts = withoutCode(text).match(/\b\d+ (?:checks|musts|shoulds|choices|statements)\b/g);
    assert.equal(counts, null);
  });
}

test('the package has what its README links to', () => {
  const { files }: { files: string[] } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const paths = linksOf(readFileSync(join(root, 'README.md'), 'utf8')).map((link) => link.split('#', 1)[0] ?? '');
  const isPackaged = (path: string) =>
    files.some((one) => matchesGlob(path, one) || path.startsWith(`${one}/`) || `${one}/`.startsWith(path));
  assert.deepEqual(
    paths.filter((path) => !isPackaged(path)),
    [],
  );
});

function linksOf(text: string): string[] {
  return [...withoutCode(text).matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)].map(([, link = '']) => link);
}

function withoutCode(text: string): string {
  return text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').replaceAll(/`[^`]*`/g, 'code');
}

function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const file = path === '' ? join(root, page) : join(root, dirname(page), path);
  if (!existsSync(file)) return isMade(file);
  return anchor === undefined || anchorsOf(file).has(anchor);
}

/** The build leaves the examples out where there is no Python. */
function isMade(file: string): boolean {
  const examples = join(root, 'conformance/examples/');
  return `${file}/`.startsWith(examples) && !existsSync(join(examples, 'box.py'));
}

/** The anchors of headings as a forge makes them. */
function anchorsOf(file: string): Set<string> {
  const headings = readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm);
  return new Set([...headings].map(([, heading = '']) => slugOf(heading)));
}

function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}
