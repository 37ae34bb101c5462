import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { sampleContainer } from '../../testing/sample-container.ts';
import { otherProjectsText } from './other-projects.ts';

const own = { project: 'a', directory: '/apps/a' };
const mine = (name: string, more: object = {}) =>
  sampleContainer('mine', { name, workingDirectory: '/apps/a', ...more });

test('names the containers of other projects that run from the folder of an app', () => {
  const quiet = [
    sampleContainer('a'),
    mine('x', { state: 'exited' }),
    mine('y', { oneOff: true }),
    sampleContainer('b'),
  ];
  equal(otherProjectsText(quiet, own), null);
  equal(
    otherProjectsText([...quiet, mine('one')], own),
    'one of another project also runs from its folder; stop with: docker stop one',
  );
  equal(
    otherProjectsText([mine('one'), mine('two')], own),
    'one, two of other projects also run from its folder; stop with: docker stop one two',
  );
});
