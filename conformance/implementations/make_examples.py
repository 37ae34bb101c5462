"""Makes conformance/examples: these implementations without the switches of their faults.

    python3 make_examples.py FOLDER

A switch is `wrong(NAME)`, `FAULT`, `pick(RIGHT, FAULTY…)` or a function `faulty_…(…, RIGHT)`. What stays keeps its
comments and layout. Definitions that only faults use are left out, and so are the modules in `FAULT_MODULES`.
"""

import ast
import re
import shutil
import sys
import textwrap
from collections import Counter
from pathlib import Path
from typing import Any, Callable, Iterator

FAULT_MODULES = ('faults', 'box_faults')
WIDTH = 120
# Parentheses around what replaces an expression. The last step removes those that are not needed.
OPEN, CLOSE = '\x01', '\x02'


class Text:
    """A module's text and syntax tree. Positions are offsets in the text."""

    def __init__(self, text: str):
        self.text = text
        self.tree = ast.parse(text.replace(OPEN, '(').replace(CLOSE, ')'))
        self.lines = text.split('\n')
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)

    def offset(self, line: int, byte: int) -> int:
        return self.starts[line - 1] + len(self.lines[line - 1].encode()[:byte].decode())

    def span(self, node: Any) -> tuple[int, int]:
        """The range of an expression, or of all lines of a statement and of the comments directly above it."""
        if isinstance(node, ast.expr):
            return self.offset(node.lineno, node.col_offset), self.offset(node.end_lineno, node.end_col_offset)
        first = min(one.lineno for one in [node, *getattr(node, 'decorator_list', [])])
        while self.lines[first - 2].lstrip().startswith('#'):
            first -= 1
        return self.starts[first - 1], self.starts[node.end_lineno]

    def replaced(self, node: Any, parts: list[Any], new: Callable[[Any], str]) -> str:
        """The node's text, with other texts for these parts of it."""
        at, end = self.span(node) if hasattr(node, 'lineno') else (0, len(self.text))
        text = ''
        for first, last, part in sorted([(*self.span(part), part) for part in parts], key=lambda one: one[:2]):
            text += self.text[at:first] + new(part)
            at = last
        return text + self.text[at:end]


def parts_of(node: ast.AST) -> Iterator[Any]:
    """The expressions and statements directly in this node. Those in f-strings have no usable position."""
    for child in [] if isinstance(node, ast.JoinedStr) else ast.iter_child_nodes(node):
        if isinstance(child, (ast.expr, ast.stmt)):
            yield child
        else:
            yield from parts_of(child)


# Without switches


def called(node: Any) -> str:
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ''


def truth(node: Any) -> bool | None:
    """Whether an expression is true without a fault. None if the switches do not decide it."""
    if called(node) == 'wrong' or (isinstance(node, ast.Name) and node.id == 'FAULT'):
        return False
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) and truth(node.operand) is not None:
        return not truth(node.operand)
    if isinstance(node, ast.BoolOp):
        truths = {truth(one) for one in node.values}
        decisive = isinstance(node.op, ast.Or)
        return decisive if decisive in truths else None if None in truths else not decisive
    return None


def without_switches(source: Text) -> str:
    def new(node: Any) -> str:
        if isinstance(node, ast.stmt):
            return choice(node) if isinstance(node, ast.If) else same(node)
        stays = right_part(node)
        return same(node) if stays is node else f'{OPEN}{stays if isinstance(stays, str) else new(stays)}{CLOSE}'

    def same(node: Any) -> str:
        return source.replaced(node, list(parts_of(node)), new)

    def right_part(node: Any) -> Any:
        if truth(node) is not None:
            return str(truth(node))
        if isinstance(node, ast.IfExp) and truth(node.test) is not None:
            return node.body if truth(node.test) else node.orelse
        if isinstance(node, ast.BoolOp) and any(truth(one) is not None for one in node.values):
            word = ' or ' if isinstance(node.op, ast.Or) else ' and '
            return word.join(f'{OPEN}{new(one)}{CLOSE}' for one in node.values if truth(one) is None)
        if called(node) == 'pick':
            return node.args[0]
        return node.args[-1] if called(node).startswith('faulty_') else node

    def choice(node: ast.If) -> str:
        decided = truth(node.test)
        following = node.orelse[0] if is_elif(node.orelse) else None
        if decided is None:
            if following is not None and new(following).strip() and not new(following).lstrip().startswith('elif'):
                raise ValueError(f'line {following.lineno}: a fault decides an elif, but not the if before it')
            return same(node)
        if following is not None and not decided:
            return new(following) if is_elif([node]) else re.sub('^( *)elif', r'\1if', new(following))
        kept = ''.join(new(one) for one in (node.body if decided else node.orelse))
        comment = source.text[source.span(node)[0] : source.starts[node.lineno - 1]] if kept else ''
        return comment + re.sub('(?m)^    ', '', kept)

    def is_elif(nodes: list[Any]) -> bool:
        return len(nodes) == 1 and source.text[slice(*source.span(nodes[0]))].lstrip().startswith('elif')

    return source.replaced(source.tree, list(parts_of(source.tree)), new)


# Layout


def tidied(source: Text) -> str:
    """Puts changed statements on one line if they fit there, without parentheses that they do not need."""

    def new(node: Any) -> str:
        inner = [part for part in parts_of(node) if isinstance(part, ast.stmt)]
        text = source.replaced(node, inner, new)
        end = len(text) if not inner else source.span(inner[0])[0] - source.span(node)[0]
        return text if OPEN not in text[:end] else tidy(text[:end]) + text[end:]

    return source.replaced(source.tree, list(parts_of(source.tree)), new)


def tidy(text: str) -> str:
    line = without_parentheses(joined(text))
    if len(line) <= WIDTH + 1 and meaning(line) == meaning(text):
        return line
    # A group in brackets may fit on one line, even if the statement does not.
    changed_group = r'[(\[{]\n[^()\[\]{}]*\x01[^()\[\]{}]*[)\]}]'
    return without_parentheses(re.sub(changed_group, lambda group: joined(group[0]), text))


def joined(text: str) -> str:
    text = re.sub(r',?\n *(?=[)\]}])', '', text)
    text = re.sub(r'(?<=[(\[{\x01])\n *', '', text)
    return re.sub(r'\n *(?=\S)', ' ', text)


def without_parentheses(text: str) -> str:
    bare = re.sub(r'^( *return )\x01\((.*)\)\x02$', r'\1\2', text)
    text = bare if meaning(bare) == meaning(text) else text
    opened: list[int] = []
    for at, letter in enumerate(text):
        if letter == OPEN:
            opened.append(at)
        elif letter == CLOSE:
            start, end = opened.pop(), at + 1
            while True:
                shorter = f'{text[:start]}\0{text[start + 1 : end - 1]}\0{text[end:]}'
                if meaning(shorter) == meaning(text):
                    text = shorter
                if (text[start - 1], text[end]) != ('(', ')'):
                    break
                start, end = start - 1, end + 1
    return text.replace('\0', '').replace(OPEN, '(').replace(CLOSE, ')')


def meaning(text: str) -> str | None:
    """The syntax tree of a statement or of its header. None if it is neither."""
    text = textwrap.dedent(text.replace('\0', '').replace(OPEN, '(').replace(CLOSE, ')')).strip()
    try:
        return ast.dump(ast.parse(re.sub('^elif', 'if', text) + (' pass' if text.endswith(':') else '')))
    except SyntaxError:
        return None


def with_whole_blocks(text: str) -> str:
    """Fills or removes blocks that have become empty, and removes blank lines that are left over."""
    lines = text.split('\n')
    made: list[str] = []
    for number, line in enumerate(lines):
        following = next((one for one in lines[number + 1 :] if one.strip()), '')
        is_header = line.endswith(':') and re.match(r'\s*\w', line) is not None
        is_empty = is_header and indent(following) <= indent(line)
        if is_empty and line.strip() == 'else:':
            continue
        if line == '' and made and made[-1].endswith(':'):
            continue
        last = next((one for one in reversed(made) if one), '')
        spare = 2 if not indent(following) and (indent(last) or re.match('def |class |#', following)) else 1
        if line == '' and made[-spare:] == [''] * spare:
            continue
        if is_empty:
            line = re.sub('^( *except .*) as .*', r'\1:', line) + '\n' + ' ' * (indent(line) + 4) + 'pass'
        made.append(line)
    return '\n'.join(made)


def indent(line: str) -> int:
    return len(line) - len(line.lstrip(' '))


# Definitions that nothing uses any more


def uses(node: ast.AST) -> Counter[str]:
    found: Counter[str] = Counter()
    for one in ast.walk(node):
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load):
            found[one.id] += 1
        elif isinstance(one, ast.Attribute):
            found[one.attr] += 1
        elif isinstance(one, ast.ImportFrom):
            found.update(alias.name for alias in one.names)
    return found


def definitions(tree: ast.AST) -> Iterator[tuple[str, Any]]:
    """Functions, classes, methods and variables of a module."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name, node
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, node
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, node
        if isinstance(node, ast.ClassDef):
            yield from definitions(node)


def unused(trees: list[ast.AST]) -> set[str]:
    total: Counter[str] = sum((uses(tree) for tree in trees), Counter())
    found = [one for tree in trees for one in definitions(tree)]
    return {name for name, node in found if total[name] == uses(node)[name]}


def imports(node: Any, used: Counter[str]) -> str:
    """An import of the names that are used."""
    names = [one for one in node.names if used[first_name(one)]]
    if not names:
        return ''
    line = ast.unparse(ast.ImportFrom(node.module, names, 0) if isinstance(node, ast.ImportFrom) else ast.Import(names))
    if len(line) <= WIDTH:
        return f'{line}\n'
    return f'from {node.module} import (\n' + ''.join(f'    {ast.unparse(one)},\n' for one in names) + ')\n'


def first_name(imported: ast.alias) -> str:
    return imported.name.partition('.')[0]


def without_unused(source: Text, dead: set[str]) -> str:
    used = Counter(one.id for one in ast.walk(source.tree) if isinstance(one, ast.Name))
    nodes = {node: '' for name, node in definitions(source.tree) if name in dead}
    nodes |= {
        node: imports(node, used)
        for node in source.tree.body
        if isinstance(node, (ast.Import, ast.ImportFrom)) and not all(used[first_name(one)] for one in node.names)
    }
    return with_whole_blocks(source.replaced(source.tree, list(nodes), lambda node: nodes[node]))


def examples(texts: dict[str, str]) -> dict[str, str]:
    """The texts of all modules without faults, by name."""
    unused_before = unused([ast.parse(text) for text in texts.values()])
    found = {
        name: tidied(Text(with_whole_blocks(without_switches(Text(text)))))
        for name, text in texts.items()
        if name not in FAULT_MODULES
    }
    before = None
    while found != before:
        before = found
        dead = unused([ast.parse(text) for text in found.values()]) - unused_before
        found = {name: without_unused(Text(text), dead) for name, text in found.items()}
    return found


def main(folder: Path) -> None:
    here = Path(__file__).parent
    texts = {file.stem: file.read_text('utf-8') for file in here.glob('*.py') if file != Path(__file__)}
    made = {f'{name}.py': text for name, text in examples(texts).items()}
    for file in folder.glob('*.py'):
        if file.name not in made:
            file.unlink()
    for name, text in made.items():
        (folder / name).write_text(text, 'utf-8')
    shutil.copyfile(here / 'box-page.html', folder / 'box-page.html')


main(Path(sys.argv[1]))
