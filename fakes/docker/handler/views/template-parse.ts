import { Failure } from '../../model/failure.ts';

/**
 * The part of Go's template language that people write in `--format`: text, fields, pipelines,
 * parentheses, variables, `if`/`else`/`range`/`with`. Definitions and comments are not read.
 */
export type Node =
  | { kind: 'text'; text: string }
  | { kind: 'value'; pipe: Pipe }
  | { kind: 'if' | 'with' | 'range'; pipe: Pipe; then: Node[]; otherwise: Node[] };

export type Pipe = { variables: string[]; declares: boolean; commands: Term[][] };
export type Term =
  | { kind: 'field'; from: '.' | '$' | string; path: string[] }
  | { kind: 'constant'; value: string | number | boolean | null }
  | { kind: 'function'; name: string }
  | { kind: 'group'; pipe: Pipe; path: string[] };

export function parseTemplate(source: string): Node[] {
  const pieces = split(source);
  const nodes = readNodes(pieces, false);
  return nodes;
}

type Piece = { action: boolean; text: string };

/** Splits the source into text and actions; `{{-` and `-}}` trim adjacent whitespace. */
function split(source: string): Piece[] {
  const pieces: Piece[] = [];
  let rest = source;
  while (rest) {
    const open = rest.indexOf('{{');
    if (open < 0) break;
    const action = /^\{\{(-(?=\s))?((?:"(?:\\.|[^"\\])*"|`[^`]*`|[^"`])*?)((?<=\s)-)?\}\}/.exec(rest.slice(open));
    if (!action) throw templateFault('unclosed action');
    const before = rest.slice(0, open);
    pieces.push({ action: false, text: action[1] ? before.trimEnd() : before });
    pieces.push({ action: true, text: (action[2] ?? '').trim() });
    rest = rest.slice(open + action[0].length);
    if (action[3]) rest = rest.trimStart();
  }
  pieces.push({ action: false, text: rest });
  return pieces.filter((piece) => piece.action || piece.text);
}

function readNodes(pieces: Piece[], inside: boolean): Node[] {
  const nodes: Node[] = [];
  while (pieces.length > 0) {
    const piece = pieces[0];
    if (!piece) break;
    if (piece.action && /^(end|else)\b/.test(piece.text)) {
      if (!inside) throw templateFault(`unexpected {{${piece.text}}}`);
      return nodes;
    }
    pieces.shift();
    if (!piece.action) nodes.push({ kind: 'text', text: piece.text });
    else if (!piece.text.startsWith('/*')) nodes.push(readAction(piece.text, pieces));
  }
  if (inside) throw templateFault('unexpected EOF');
  return nodes;
}

function readAction(text: string, pieces: Piece[]): Node {
  const block = /^(if|with|range)\s+(\S[\s\S]*)$/.exec(text);
  if (!block) return { kind: 'value', pipe: readPipe(tokens(text)) };
  const kind = block[1] as 'if' | 'with' | 'range';
  const pipe = readPipe(tokens(block[2] ?? ''));
  const then = readNodes(pieces, true);
  const closing = pieces.shift()?.text ?? '';
  if (closing === 'end') return { kind, pipe, then, otherwise: [] };
  const chained = /^else\s+((?:if|with)\s[\s\S]+)$/.exec(closing);
  if (chained) return { kind, pipe, then, otherwise: [readAction(chained[1] ?? '', pieces)] };
  const otherwise = readNodes(pieces, true);
  pieces.shift();
  return { kind, pipe, then, otherwise };
}

function tokens(text: string): string[] {
  const form =
    /\s*("(?:\\.|[^"\\])*"|`[^`]*`|:=|\||\(|\)(?:\.\w+)*|,|\$\w*(?:\.\w+)*|(?:\.\w+)+|\.|-?\d+(?:\.\d+)?|=|[A-Za-z_]\w*)/y;
  const found: string[] = [];
  while (form.lastIndex < text.length) {
    const from = form.lastIndex;
    const match = form.exec(text);
    if (!match) {
      if (text.slice(from).trim() === '') break;
      throw templateFault(`unexpected "${text.slice(from).trim()[0]}" in operand`);
    }
    found.push(match[1] ?? '');
  }
  return found;
}

function readPipe(words: string[]): Pipe {
  const variables: string[] = [];
  const at = words.findIndex((word) => word === ':=' || word === '=');
  let declares = false;
  if (at > 0 && words.slice(0, at).every((word) => word === ',' || /^\$\w+$/.test(word))) {
    variables.push(...words.slice(0, at).filter((word) => word !== ','));
    declares = true;
    words.splice(0, at + 1);
  }
  const commands: Term[][] = [[]];
  while (words.length > 0 && !words[0]?.startsWith(')')) {
    const word = words.shift() ?? '';
    if (word === '|') commands.push([]);
    else commands.at(-1)?.push(readTerm(word, words));
  }
  if (commands.some((command) => command.length === 0)) throw templateFault('missing value for command');
  return { variables, declares, commands };
}

function readTerm(word: string, words: string[]): Term {
  if (word === '(') {
    const pipe = readPipe(words);
    const closing = words.shift();
    if (!closing) throw templateFault('unclosed left paren');
    return { kind: 'group', pipe, path: closing.split('.').slice(1) };
  }
  if (word.startsWith('"')) return { kind: 'constant', value: readString(word) };
  if (word.startsWith('`')) return { kind: 'constant', value: word.slice(1, -1) };
  if (/^-?\d/.test(word)) return { kind: 'constant', value: Number(word) };
  if (word === 'true' || word === 'false') return { kind: 'constant', value: word === 'true' };
  if (word === 'nil') return { kind: 'constant', value: null };
  if (word === '.') return { kind: 'field', from: '.', path: [] };
  if (word.startsWith('.')) return { kind: 'field', from: '.', path: word.slice(1).split('.') };
  if (word.startsWith('$')) {
    const [from = '$', ...path] = word.split('.');
    return { kind: 'field', from, path };
  }
  return { kind: 'function', name: word };
}

function readString(word: string): string {
  try {
    return JSON.parse(word) as string;
  } catch {
    // Escapes of Go that JSON lacks (\', \x41) only lose their backslash.
    return word.slice(1, -1).replace(/\\(.)/g, '$1');
  }
}

export function templateFault(text: string): Failure {
  return new Failure(1, `template parsing error: template: :1: ${text}`);
}
