import { Failure, unknown } from '../../model/failure.ts';
import { type Node, type Pipe, parseTemplate, type Term, templateFault } from './template-parse.ts';

type Scope = { dot: unknown; root: unknown; variables: Map<string, unknown> };
type Callable = (...given: unknown[]) => unknown;

export function renderTemplate(source: string, value: unknown): string {
  return renderNodes(parsed(source), { dot: value, root: value, variables: new Map() });
}

const known = new Map<string, Node[]>();

/** Cached, because a listing renders the template for every row. */
function parsed(source: string): Node[] {
  const nodes = known.get(source) ?? parseTemplate(readEscapes(source));
  known.set(source, nodes);
  return nodes;
}

/** Docker replaces a literal `\t` or `\n` in a format. */
function readEscapes(source: string): string {
  return source.replaceAll('\\t', '\t').replaceAll('\\n', '\n');
}

function renderNodes(nodes: readonly Node[], scope: Scope): string {
  return nodes.map((node) => renderNode(node, scope)).join('');
}

function renderNode(node: Node, scope: Scope): string {
  if (node.kind === 'text') return node.text;
  const value = runPipe(node.pipe, scope);
  if (node.kind === 'value') {
    if (!node.pipe.declares) return show(value);
    scope.variables.set(node.pipe.variables[0] ?? '', value);
    return '';
  }
  if (node.kind === 'range') return renderRange(node, value, scope);
  if (!isTrue(value)) return renderNodes(node.otherwise, inner(scope, scope.dot));
  const within = inner(scope, node.kind === 'with' ? value : scope.dot);
  if (node.pipe.declares) within.variables.set(node.pipe.variables[0] ?? '', value);
  return renderNodes(node.then, within);
}

function renderRange(node: Extract<Node, { then: Node[] }>, value: unknown, scope: Scope): string {
  const entries = rangeOf(value);
  if (entries.length === 0) return renderNodes(node.otherwise, inner(scope, scope.dot));
  return entries
    .map(([key, element]) => {
      const within = inner(scope, element);
      const names = node.pipe.variables;
      if (names.length === 2) within.variables.set(names[0] ?? '', key);
      if (names.length > 0) within.variables.set(names.at(-1) ?? '', element);
      return renderNodes(node.then, within);
    })
    .join('');
}

function rangeOf(value: unknown): [unknown, unknown][] {
  if (Array.isArray(value)) return value.map((element, index) => [index, element]);
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value)
    .sort()
    .map((key) => [key, (value as Record<string, unknown>)[key]]);
}

function inner(scope: Scope, dot: unknown): Scope {
  return { ...scope, dot, variables: new Map(scope.variables) };
}

function runPipe(pipe: Pipe, scope: Scope): unknown {
  let previous: unknown[] = [];
  for (const command of pipe.commands) previous = [runCommand(command, scope, previous)];
  return previous[0];
}

function runCommand(command: readonly Term[], scope: Scope, piped: readonly unknown[]): unknown {
  const [head, ...others] = command;
  if (!head) throw templateFault('missing value for command');
  const given = () => [...others.map((term) => termValue(term, scope)), ...piped];
  if (head.kind === 'function') return callFunction(head.name, given());
  const value = termValue(head, scope);
  if (typeof value === 'function') return (value as Callable)(...given());
  if (others.length > 0 || piped.length > 0) throw templateFault("can't give argument to non-function");
  return value;
}

function termValue(term: Term, scope: Scope): unknown {
  switch (term.kind) {
    case 'constant':
      return term.value;
    case 'group':
      return walk(runPipe(term.pipe, scope), term.path);
    case 'function':
      return callFunction(term.name, []);
    default:
      if (term.from === '.') return walk(scope.dot, term.path);
      return walk(term.from === '$' ? scope.root : scope.variables.get(term.from), term.path);
  }
}

/** Resolves a field path. A field with a null value exists, but has no fields. */
function walk(from: unknown, path: readonly string[]): unknown {
  let value = from;
  for (const [index, name] of path.entries()) {
    const isMapping = typeof value === 'object' && value !== null;
    const missing = isMapping && name in (value as object) ? null : isMapping ? name : (path[index - 1] ?? name);
    if (missing !== null) {
      const at = `executing "" at <.${path.join('.')}>`;
      throw new Failure(1, `template parsing error: template: :1:2: ${at}: map has no entry for key "${missing}"`);
    }
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

const functions: Record<string, Callable> = {
  json: (value) => JSON.stringify(value ?? null),
  len: (value) => (typeof value === 'string' ? Buffer.byteLength(value) : rangeOf(value).length),
  index: (value, ...keys) => keys.reduce(elementOf, value),
  eq: (first, ...others) => others.some((other) => other === first),
  ne: (first, second) => first !== second,
  gt: (first, second) => Number(first) > Number(second),
  not: (value) => !isTrue(value),
  and: (...values) => values.find((value) => !isTrue(value)) ?? values.at(-1),
  or: (...values) => values.find(isTrue) ?? values.at(-1),
  println: (...values) => `${values.map(show).join(' ')}\n`,
  join: (values, between) => (Array.isArray(values) ? values.map(show).join(String(between)) : ''),
};

function callFunction(name: string, given: unknown[]): unknown {
  const found = functions[name];
  if (!found) throw unknown(`the template function ${name}`);
  return found(...given);
}

function elementOf(value: unknown, key: unknown): unknown {
  if (Array.isArray(value)) {
    if (Number(key) >= value.length) throw templateFault(`error calling index: index out of range: ${key}`);
    return value[Number(key)];
  }
  if (typeof value !== 'object' || value === null) throw templateFault('error calling index: index of untyped nil');
  return (value as Record<string, unknown>)[String(key)] ?? '';
}

function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

/** A value in the format of Go. */
function show(value: unknown): string {
  if (value === undefined || value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(show).join(' ')}]`;
  if (typeof value !== 'object') return String(value);
  const entries = Object.keys(value)
    .sort()
    .map((key) => `${key}:${show((value as Record<string, unknown>)[key])}`);
  return `map[${entries.join(' ')}]`;
}
