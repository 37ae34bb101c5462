/** The one rule set that Biome lacks: regular expressions whose time grows faster than the text that they read. */

import parser from '@typescript-eslint/parser';
import regexp from 'eslint-plugin-regexp';

const rooms = ['src', 'conformance', 'fakes', 'bench', 'spec', '.ci'];

export default [
  { ignores: ['dist', 'coverage', 'artefacts', '**/*.gen.ts', '**/*.gen.cjs'] },
  {
    files: rooms.map((room) => `${room}/**/*.{ts,js,cjs}`),
    languageOptions: { parser },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential', ignorePartial: false }],
    },
  },
];
