"""Features of the structure of text: identifiers, the shape of lines, brackets, indentation.

Source code, markup and tables say the same with ever new names. What comes next follows from the
bracket that is open and from who opened it, from the line so far with every identifier as one sign
(its *shape*), and from words and indentation of the lines above. `features` holds the numbers of
these features and what they mean. (The nest and word models of paq8px look at brackets and at lines
above in ways of their own.)
"""

from __future__ import annotations

import numpy as np

from glnzip.jit import inline
from glnzip.model.contexts import code
from glnzip.model.contexts.bytes import byte_class
from glnzip.model.hashing import U32, hashed_pair

(
    IDENTIFIER,  # hash of the letters, digits and underscores so far; 0 between identifiers
    IDENTIFIER_BEFORE,  # the same for the whole identifier before
    SHAPE,  # hash of the line so far: its identifiers as one sign each, and no white space
    SIGNS,  # the last four signs of shapes
    MARKS,  # the last three bytes that were neither white space nor of an identifier
    BRACKET_PLACE,  # the open bracket, and the columns since
    CALL,  # hash of the identifier before the open bracket, and of the commas since
    INDENTS,  # indentation of this line and of the one above, and whether this one is complete
    # These are hashed with IDENTIFIER, and 0 in prose: after three identifiers without a mark
    STATEMENT,  # the first identifier of the statement in the bracket, and its commas
    LINES,  # the first identifiers of the two lines above, and INDENTS
    SHAPES,  # SHAPE, and that of the whole line above
    WORD_ABOVE,  # the last identifier in a line with the number of the one to come in this line
    END,  # the first number of the next module of features
) = range(code.END, code.END + 13)

DEPTHS = 64  # brackets in brackets that are told apart
WORDS = 64  # identifiers of a line that the next line can see
_MOST_ARGUMENTS = 15
_TAB = 8  # columns
_NAME = 97  # the sign of an identifier in a shape
_PROSE = 0x616161  # three identifiers with nothing but white space between them

SYNTAX = np.dtype(
    [
        ("depth", np.int64),  # open brackets; of each, and at 0 of the text around them:
        ("bracket", np.int64, DEPTHS),  # the byte
        ("column", np.int64, DEPTHS),  # its place in its line, plus 1
        ("caller", np.int64, DEPTHS),  # the identifier before it
        ("first", np.int64, DEPTHS),  # the first identifier of the present statement in it
        ("arguments", np.int64, DEPTHS),  # commas of that statement so far
        ("words", np.int64, WORDS),  # the last identifier of each number in a line
        ("word", np.int64),  # the number of the one to come
        ("first_word", np.int64),  # the first of this line, and of the one above
        ("first_above", np.int64),
        ("indent", np.int64),  # columns of white space at the start of this line, and of that above
        ("indent_above", np.int64),
        ("indented", np.int64),  # 1 after them
        ("shape_above", np.int64),
        ("lines", np.int64),  # hash of the first identifiers of the two lines above
    ]
)


@inline
def see_syntax(recent, byte):
    """Bring these features up to date after `byte`, as `features.see_byte` does the others."""
    features, syntax = recent.features, recent.syntax[0]
    column = recent.now[0].position - recent.now[0].line
    _follow_identifiers(features, syntax, byte)
    _follow_brackets(features, syntax, byte, column)
    _follow_lines(features, syntax, byte)
    _combine(features, syntax, column)


@inline
def _combine(features, syntax, column):
    depth = syntax.depth
    arguments = min(syntax.arguments[depth], _MOST_ARGUMENTS)
    features[BRACKET_PLACE] = ((column - syntax.column[depth]) & 255) << 8 | syntax.bracket[depth]
    features[CALL] = hashed_pair(syntax.caller[depth], arguments)
    if is_prose(features[SIGNS]):
        # Ever new contexts that say little would only take the place of others in the tables.
        features[STATEMENT] = 0
        features[LINES] = 0
        features[SHAPES] = 0
        features[WORD_ABOVE] = 0
    else:
        name = features[IDENTIFIER]
        statement = hashed_pair(syntax.first[depth], arguments)
        features[STATEMENT] = hashed_pair(statement, name)
        features[LINES] = hashed_pair(hashed_pair(syntax.lines, features[INDENTS]), name)
        shapes = hashed_pair(syntax.shape_above, features[SHAPE])
        features[SHAPES] = hashed_pair(shapes, name)
        features[WORD_ABOVE] = hashed_pair(syntax.words[min(syntax.word, WORDS - 1)], name)


@inline
def is_prose(signs):
    """Whether the last three signs are identifiers, with nothing but white space between them."""
    return signs & 0xFFFFFF == _PROSE


@inline
def _follow_brackets(features, syntax, byte, column):
    if byte == 40 or byte == 91 or byte == 123:  # ( [ {
        depth = min(syntax.depth + 1, DEPTHS - 1)
        syntax.depth = depth
        syntax.bracket[depth] = byte
        syntax.column[depth] = column
        syntax.caller[depth] = features[IDENTIFIER_BEFORE]
        _begin_statement(syntax)
    elif byte == 41 or byte == 93 or byte == 125:  # ) ] }
        syntax.depth = max(syntax.depth - 1, 0)
        if byte == 125:
            _begin_statement(syntax)
    elif byte == 44:  # ,
        syntax.arguments[syntax.depth] += 1
    elif byte == 59 or (byte == 10 and syntax.depth == 0):  # ;
        _begin_statement(syntax)


@inline
def _begin_statement(syntax):
    syntax.first[syntax.depth] = 0
    syntax.arguments[syntax.depth] = 0


@inline
def _follow_identifiers(features, syntax, byte):
    kind = byte_class(byte)
    if kind == 1 or kind == 2 or byte == 95:  # letter, digit, _
        if features[IDENTIFIER] == 0:
            _extend_shape(features, _NAME)
        features[IDENTIFIER] = hashed_pair(features[IDENTIFIER], byte)
    else:
        if features[IDENTIFIER] != 0:
            _end_identifier(features, syntax)
        if kind != 3:
            _extend_shape(features, byte)
            features[MARKS] = (features[MARKS] << 8 | byte) & 0xFFFFFF


@inline
def _end_identifier(features, syntax):
    name = features[IDENTIFIER]
    features[IDENTIFIER] = 0
    features[IDENTIFIER_BEFORE] = name
    if syntax.first[syntax.depth] == 0:
        syntax.first[syntax.depth] = name
    if syntax.word == 0:
        syntax.first_word = name
    syntax.words[min(syntax.word, WORDS - 1)] = name
    syntax.word += 1


@inline
def _extend_shape(features, sign):
    features[SHAPE] = hashed_pair(features[SHAPE], sign)
    features[SIGNS] = (features[SIGNS] << 8 | sign) & U32


@inline
def _follow_lines(features, syntax, byte):
    if byte == 10:
        syntax.lines = hashed_pair(syntax.first_word, syntax.first_above)
        syntax.first_above = syntax.first_word
        syntax.first_word = 0
        syntax.word = 0
        syntax.shape_above = features[SHAPE]
        features[SHAPE] = 0
        syntax.indent_above = syntax.indent
        syntax.indent = 0
        syntax.indented = 0
    elif syntax.indented == 0:
        if byte == 32:
            syntax.indent += 1
        elif byte == 9:
            syntax.indent += _TAB
        else:
            syntax.indented = 1
    indents = (syntax.indent & 0xFFFF) << 16 | (syntax.indent_above << 1 & 0xFFFF)
    features[INDENTS] = indents | syntax.indented
