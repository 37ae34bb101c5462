// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
/**
 * Environment files and the result of Compose 2.26.1, recorded on 21 November 2026 with `docker compose config --format
 * json` (doubled `$` undone) and `V=v` in the `.env`.
 */
export const dotenvCases: readonly { text: string; values: Record<string, string> }[] = [
  { text: 'A=$ x\nB=a$\nC=$1\n', values: { A: '$ x', B: 'a$', C: '$1' } },
  {
    text: 'A="x" # c\nB="x"#c\nC=x#c\nD=x #c\nE= # c\nF=#c\n',
    values: { A: 'x', B: 'x', C: 'x#c', D: 'x', E: '# c', F: '#c' },
  },
  { text: "A='x' # c\nB='it\\'s'\nC='a\nb'\n", values: { A: 'x', B: "it's", C: 'a\nb' } },
  { text: 'A="a\nb"\r\nB=c\r\n', values: { A: 'a\nb', B: 'c' } },
  { text: 'export A=1\nexport  B = 2\nC: 3\nD : 4\n  E=5\n', values: { A: '1', B: '2', C: '3', D: '4', E: '5' } },
  { text: 'A="\\a\\b\\f\\v\\t\\r\\n\\\\\\"\\$\\q\\0101\\x41"\n', values: { A: '\x07\b\f\v\t\r\n\\"$\\qA\\x41' } },
  {
    text: 'A="$V ${V} \\$V $$V"\nB=$V-${A}\nC=$$\n',
    values: { A: 'v v $V $V', B: 'v-v v $V $V', C: '$' },
  },
  { text: 'NOSUCH\nA=1\n', values: { A: '1' } },
  { text: 'A.b=1\nA-c=2\nA[0]=3\n', values: { 'A.b': '1', 'A-c': '2', 'A[0]': '3' } },
  { text: 'A="x"y=1\nB=2\n', values: { A: 'x', y: '1', B: '2' } },
  { text: 'A="x" B=2\n', values: { A: 'x', B: '2' } },
  { text: '=x\n', values: { '': 'x' } },
  { text: 'A', values: { '': 'A' } },
  { text: 'A==x\nB=a=b\n', values: { A: '=x', B: 'a=b' } },
  { text: '1A=x\n', values: { '1A': 'x' } },
  { text: 'A=x\nA=y\n', values: { A: 'y' } },
  { text: '\uFEFFA=x\n', values: { A: 'x' } },
  { text: 'A="a\\\nb"\nB=a\\nb\nC=a\\\n', values: { A: 'a\\\nb', B: 'a\\nb', C: 'a\\' } },
];

/** Rejected files and the messages. */
export const dotenvRefusals: readonly { text: string; words: string }[] = [
  { text: "A='x\n", words: "line 2: unterminated quoted value 'x" },
  { text: 'A="x\\"\n', words: 'line 2: unterminated quoted value "x\\"' },
  { text: 'A="${NOPE:?must}"\n', words: 'required variable NOPE is missing a value: must' },
  { text: 'A=${V\nB=1\n', words: 'Invalid template: "${V"' },
  { text: 'A B=1\n', words: 'line 1: key cannot contain a space' },
  { text: 'A!=x\n', words: 'line 1: unexpected character "!" in variable name "A!=x"' },
];
