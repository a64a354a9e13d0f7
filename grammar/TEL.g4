// The syntax of TEL. One `item` is one declaration: frontend/parse cuts the token stream at declaration starts
// before this grammar sees it, and resolves what depends on context there (see `tokens`), so that every decision
// here needs at most two tokens of lookahead.
grammar TEL;

tokens {
  SEPARATOR,     // `x` or `×` between two extents
  SHAPE_OPEN,    // a `[` in operand position that opens a shape rather than a literal
  TRANSPOSE,     // `^T`
  NEXT,          // `'` directly behind a name: the next value of a state
  PRODUCT_DOT,   // `.` with white space on both sides
  ALONG,         // `along` after a bracket literal
  // These words where they start a declaration.
  MODULE, TYPE, IMPORT, DIM, FUNC, GRADIENT, NET, STRUCT, ENUM, RECURRENT, OPTIMIZE, CUSTOM,
  OF, FROM, WRT, KEEPING, SEEDABLE,                // these words in a gradient declaration; FROM before a STRING too
  OVER, BACKWARD,                                  // these words in the header of a recurrent block
  WITH,                                            // `with` behind `optimize`
  SCALE,         // `scale` behind the type of a declaration, or the name in files
  SCALING,       // `scaling` behind the call of an optimizer
  LET, VAR, LOOP, WHILE, RETURN, MATCH,                 // these words (LOOP is `for`) where they start a statement
  MATCH_VALUE,   // `match` where it starts an expression
  BY,            // `by` after the bounds of a `for`
  RESULTS_OPEN   // a `(` around several results, or around the names behind `wrt:`
}

// ---------------------------------------------------------------------------------------- declarations

item
  : MODULE NAME EOF
  | TYPE element=(ELEMENT_TYPE | NAME) EOF
  | IMPORT NAME EOF
  | DIM dimension (',' dimension)* EOF
  | function EOF
  | gradient EOF
  | customGradient EOF
  | optimize EOF
  | netHeader EOF
  | recurrentHeader EOF
  | structure EOF
  | enumeration EOF
  | '}' EOF
  | declaration EOF
  | nextValue EOF
  ;

dimension : NAME ('=' extent)? ;

declaration
  : names ':' ( role=IN type? nameInFiles? scale? ('=' expression)?
              | role=NAME (('.' net=NAME)? netArguments pathInFiles? | type? nameInFiles? scale? ('=' expression)?)
              | plainType ('=' expression | file=NAME ('.' net=NAME)? netArguments pathInFiles?)
              )
  | names '=' expression
  | plain=NAME indices (':' (role=(IN | NAME) type? | plainType))? '=' expression
  ;

// The name of the tensor in files of weights, and whether they have it transposed.
nameInFiles : FROM STRING TRANSPOSE? ;

// What stands for the name of the instance of a net in files of weights.
pathInFiles : FROM STRING ;

// The factor of the integers that are stored. The parser takes any expression, to say what it may be.
scale : SCALE expression ;

// The parser takes any expressions, to say that an index is a name.
indices : '[' expression (',' expression)* ']' ;

nextValue : NAME NEXT '=' expression ;

names : NAME (',' NAME)* ;

// The declarations between this and the `}` are items of their own.
netHeader : NET NAME ('(' (netParameter (',' netParameter)*)? ')')? '{' ;

// The default of a parameter that is a net may be a net of a certain file.
netParameter : NAME ('=' (netOfFile | extent))? ;

netOfFile : file=NAME '.' net=NAME ;

// The declarations between this and the `}` are items of their own.
recurrentHeader : RECURRENT NAME (IN extent)? BACKWARD? (OVER sequence (',' sequence)*)? '{' ;

sequence : NAME '=' expression ;

netArguments : '(' (netArgument (',' netArgument)*)? ')' ;

netArgument : (NAME ':')? (netOfFile | extent) ;

function
  : FUNC NAME '(' (parameter (',' parameter)*)? ')' ('->' (type | '(' type (',' type)+ ')'))?
    ('=' results | block)
  ;

results
  : expression
  | RESULTS_OPEN expression (',' expression)+ ')'
  ;

parameter : NAME ':' type ('=' expression)? ;

// The word GRADIENT follows CUSTOM directly.
customGradient : CUSTOM GRADIENT of=NAME '(' parameters+=NAME (',' parameters+=NAME)* ')' ('=' results | block) ;

structure : STRUCT NAME '{' field* '}' ;

field : NAME ':' type ;

enumeration : ENUM NAME '{' enumCase* '}' ;

enumCase : NAME ('(' type (',' type)* ')')? ;

gradient
  : GRADIENT NAME OF of=names (FROM from=NUMBER)? WRT wrt=paths (KEEPING keeping=paths)? SEEDABLE?
  ;

paths : path (',' path)* ;

// `adam(rate: 0.001) scaling 1024`; the parser takes any expressions, to say what is wrong with them.
optimize : OPTIMIZE WITH call=expression (SCALING scaling=expression)? ;

// `fc.W`, `tower.0.W`; behind KEEPING the number of a result.
path : NAME ('.' (NAME | NUMBER))* | NUMBER ;

// ------------------------------------------------------------------------------------------ statements

block : '{' statement* '}' ;

statement
  : word=(LET | VAR) (target | '(' target (',' target)+ ')') '=' expression
  | NAME NEXT? '=' expression
  | IF expression block (ELSE IF expression block)* (ELSE block)?
  | LOOP NAME IN from=expression '..' to=expression (BY by=expression)? block
  | WHILE expression block
  | RETURN results
  | MATCH expression '{' matchCase* '}'
  ;

matchCase : NAME ('(' NAME (',' NAME)* ')')? block ;

target : NAME (':' type)? ;

// --------------------------------------------------------------------------------------- types, shapes

// A name alone is that of a struct or an enum, of another file where there are two; or `int` or `axis` in the
// signature of a function. With a shape it is `int` or an unknown element type.
type
  : plainType
  | NAME (shape | '.' member=NAME)?
  ;

plainType
  : ELEMENT_TYPE shape?
  | shape
  ;

shape : ('[' | SHAPE_OPEN) extents? ']' ;

extents : extent (SEPARATOR extent)* ;

extent : extentTerm (('+' | '-') extentTerm)* ;

extentTerm : extentFactor (('*' | '/') extentFactor)* ;

extentFactor
  : op='-' extentFactor
  | value=NUMBER
  | value=NAME dots='...'?
  | value='?'
  | value=AUTO
  | op='(' extent ')'
  ;

// ----------------------------------------------------------------------------------------- expressions

// Tightest first. `op` tells the alternatives apart; without it the expression is its `primary`.
expression
  : primary
  | left=expression op='[' subscript (',' subscript)* ']'
  | left=expression op='(' (argument (',' argument)* (FOR binder (',' binder)*)?)? ')'
  | left=expression op='.' member=(NAME | NUMBER)
  | left=expression op=TRANSPOSE
  | left=expression op=NEXT
  | left=expression op=AS type
  | <assoc=right> left=expression op='^' right=expression
  | op='-' right=expression
  | left=expression op=(BULLET | '@' | PRODUCT_DOT) right=expression
  | left=expression op=('*' | '/' | '%') right=expression
  | left=expression op=('+' | '-') right=expression
  | left=expression op=('==' | '!=' | '<' | '<=' | '>' | '>=') right=expression
  | op=NOT right=expression
  | left=expression op=AND right=expression
  | left=expression op=OR right=expression
  | op=IF condition=expression THEN value=expression ELSE right=expression
  | left=expression op='|>' right=expression
  ;

primary
  : token=NUMBER
  | token=(TRUE | FALSE)
  | token=NAME
  | token='(' expression ')'
  | token='[' row (';' row)* ']' (ALONG sign='-'? axis=NUMBER)?
  | token=SHAPE_OPEN extents? ']'
  | token=MATCH_VALUE expression '{' valueCase* '}'
  ;

valueCase : NAME ('(' NAME (',' NAME)* ')')? '=>' expression ;

row : expression (',' expression)* ;

argument : (NAME ':')? (expression | RESULTS_OPEN expression (',' expression)+ ')') ;

// An index of a reduction, with its range or without.
binder : NAME (IN first=expression RANGE stop=expression)? ;

subscript
  : first=expression slice?
  | slice
  ;

slice : ':' stop=expression? (':' step=expression?)? ;

// ---------------------------------------------------------------------------------------------- tokens

IF : 'if' ;
THEN : 'then' ;
ELSE : 'else' ;
AND : 'and' ;
OR : 'or' ;
NOT : 'not' ;
AS : 'as' ;
IN : 'in' ;
TRUE : 'true' ;
FALSE : 'false' ;
FOR : 'for' ;
AUTO : 'auto' ;
RESERVED : 'while' | 'let' | 'var' | 'return' | 'match' ;
ELEMENT_TYPE
  : 'bool' | 'int8' | 'int16' | 'int32' | 'int64' | 'uint8' | 'float16' | 'bfloat16' | 'float32' | 'float64'
  ;
NAME : [A-Za-z_] [A-Za-z0-9_]* ;
NUMBER : DIGITS ('.' DIGITS)? ([eE] [+-]? DIGITS)? ;
STRING : '"' ~["\r\n]* '"' ;
fragment DIGITS : [0-9] ('_'? [0-9])* ;

COLON : ':' ;
COMMA : ',' ;
SEMICOLON : ';' ;
DOT : '.' ;
ELLIPSIS : '...' ;
RANGE : '..' ;
EQUALS : '=' ;
ARROW : '->' ;
DOUBLE_ARROW : '=>' ;
PIPE : '|>' ;
QUESTION : '?' ;
LEFT_PARENTHESIS : '(' ;
RIGHT_PARENTHESIS : ')' ;
LEFT_BRACKET : '[' ;
RIGHT_BRACKET : ']' ;
LEFT_BRACE : '{' ;
RIGHT_BRACE : '}' ;
PLUS : '+' ;
MINUS : '-' ;
STAR : '*' ;
SLASH : '/' ;
PERCENT : '%' ;
CARET : '^' ;
BULLET : '\u2022' ;
AT : '@' ;
TIMES : '\u00D7' ;
EQUAL : '==' ;
NOT_EQUAL : '!=' ;
LESS : '<' ;
LESS_EQUAL : '<=' ;
GREATER : '>' ;
GREATER_EQUAL : '>=' ;

DOC : '///' ~[\r\n]* -> channel(HIDDEN) ;
COMMENT : ('//' ~[\r\n]* | '/*' .*? '*/') -> channel(HIDDEN) ;
OPEN_COMMENT : '/*' ;
SPACE : [ \t\r\n\f]+ -> skip ;
UNKNOWN : . ;
