import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderTemplate } from './template.ts';

const value = {
  Id: 'abc',
  Config: { Labels: { a: '1', 'b.c': '2' }, Env: ['X=1', 'Y=2'] },
  Empty: [],
  Count: 3,
  Nothing: undefined,
  Label: (name: unknown) => `label ${name}`,
};

const cases: [template: string, text: string][] = [
  ['{{.Id}}', 'abc'],
  ['a{{ .Id -}}  b', 'aabcb'],
  ['{{json .Config.Env}}', '["X=1","Y=2"]'],
  ['{{.Config.Labels}} {{.Config.Env}}', 'map[a:1 b.c:2] [X=1 Y=2]'],
  ['{{index .Config.Labels "b.c"}}{{index .Config.Labels "none"}}', '2'],
  ['{{index .Config.Env 1}}', 'Y=2'],
  ['{{range .Config.Env}}{{.}};{{end}}', 'X=1;Y=2;'],
  ['{{range $i, $e := .Config.Env}}{{$i}}{{$e}}{{end}}', '0X=11Y=2'],
  ['{{range $k, $v := .Config.Labels}}{{$k}}={{$v}} {{end}}', 'a=1 b.c=2 '],
  ['{{range .Empty}}x{{else}}none{{end}}', 'none'],
  ['{{if .Empty}}a{{else if eq .Count 3}}b{{else}}c{{end}}', 'b'],
  ['{{if .Nothing}}y{{else}}n{{end}}', 'n'],
  ['{{with .Config}}{{.Labels.a}}{{end}}', '1'],
  ['{{.Label "x"}}|{{.Id | json}}', 'label x|"abc"'],
  ['{{join .Config.Env ","}} {{len .Config.Env}} {{gt .Count 2}}', 'X=1,Y=2 2 true'],
  ['{{and .Id (not .Empty)}} {{or .Empty .Id}} {{ne .Id "x"}}', 'true abc true'],
  ['{{$x := .Id}}{{$x}}{{println}}', 'abc\n'],
  ['{{(index .Config.Env 0)}}\\t{{$.Id}}', 'X=1\tabc'],
];

for (const [template, text] of cases) {
  test(`renders ${template}`, () => assert.equal(renderTemplate(template, value), text));
}

for (const template of ['{{.Foo}}', '{{.Nothing.Status}}', '{{', '{{if .Id}}', '{{end}}', '{{index .Config.Env 9}}']) {
  test(`refuses ${template}`, () =>
    assert.throws(() => renderTemplate(template, value), /^Error: template parsing error: /));
}
