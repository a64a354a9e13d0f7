// The syntax of DLVM text. It knows modules, functions, blocks and the shape of an instruction; what the parts
// of each instruction become stands in dlvm/ir/instruction_table.cpp. dlvm/text cuts the tokens into items and
// statements, so that each rule that ends in EOF sees one of them.
grammar DLVM;

// ------------------------------------------------------------------------------------------------- items

item
  : (moduleItem | stageItem | tensorItem | entryItem | requireItem | attributeItem | externItem | gradientItem
    | derivativeItem | functionItem | structItem | enumItem | typeItem | variableItem) EOF
  ;

moduleItem : 'module' STRING documentation? ;

stageItem : 'stage' word ;

tensorItem
  : role=('parameter' | 'constant' | 'state') name=STRING ':' type ('initialized' GLOBAL ('stream' INTEGER)?)?
    ('from' file=STRING)? transposed='transposed'? documentation? location?
  ;

entryItem
  : 'entry' word STRING GLOBAL '(' interface ')' '->' '(' interface ')' documentation? location?
  ;

requireItem : 'require' extent relation=('==' | '<=') extent STRING location? ;

attributeItem : '!' word ;

externItem : '[' 'extern' ']' ;

gradientItem : '[' what=('gradient' | 'adjoint' | 'jvp') GLOBAL gradientClause* ']' location? ;

derivativeItem : '[' 'derivative' GLOBAL ']' ;

structItem : 'struct' TYPE '{' (field ','?)* '}' ;

field : KEY ':' type ;

enumItem : 'enum' TYPE '{' (enumCase ','?)* '}' ;

enumCase : CASE ('(' (type (',' type)*)? ')')? ;

typeItem : 'type' TYPE '=' type ;   // `opaque` is no other type

variableItem : 'var' GLOBAL ':' type location? ;

functionItem : 'func' GLOBAL ':' type location? ;

documentation : 'doc' STRING ;

interface : (slot (',' slot)*)? ;

// `input "s.line.slope" struct "Fit" "Line"`, `input "s.size" struct "Fit" enum "Size" "small" "large"`
slot : word name=STRING ('struct' structs+=STRING+)? ('enum' enumeration+=STRING enumeration+=STRING+)? documentation? ;

gradientClause : what=('from' | 'wrt' | 'keeping') INTEGER (',' INTEGER)* | what='seedable' ;

// --------------------------------------------------------------------------------------------- statements

statement : (label | instruction) EOF ;

label : LABEL ('(' (parameter (',' parameter)*)? ')')? ':' ;

parameter : VALUE ':' type ;

// `rank of -1: f32` begins with a clause: `of` is no dimension there.
instruction : (VALUE '=')? (property clause | typed type clause* | word arguments? clause*) location* ;

typed : 'allocateStack' | 'allocateHeap' | 'allocateBox' | 'peek' | 'pop' ;

property : 'rank' | 'shape' | 'unitCount' ;

clause
  : 'case' CASE LABEL
  | clauseWord arguments   // an empty list is `()`
  ;

arguments : argument (',' argument)* ;

argument
  : VALUE (is_call='(' arguments? ')')? ((':' | arrow='->') type)?
  | GLOBAL ('(' arguments? ')')? ((':' | arrow='->') type)?
  | LABEL ('(' arguments? ')')?
  | STRING '(' arguments? ')' arrow='->' type                  // builtin "softmax"(%x: T) -> T
  | NAME STRING                                                // by builtin "max"
  | dense ':' type
  | composite ':' type
  | KEY
  | bracketed
  | is_tuple='(' arguments? ')' (':' type)?
  | shape (':' type)?
  ;

composite
  : '[' arguments? ']'
  | '{' (member (',' member)*)? '}'
  | CASE ('(' arguments? ')')?
  ;

member : KEY '=' argument ;

// `1: f32`s or values, or one rank less in each element: `<<1: f32, 2: f32>: <2 x f32>>: <1 x 2 x f32>`.
dense : '<' (element (',' element)*)? '>' ;

element : (dense | number | VALUE) ':' type ;

number : '-'? (INTEGER | REAL | word) ;

location : 'at' STRING ':' INTEGER ':' INTEGER ;

// --------------------------------------------------------------------------------------- types, extents

type : tensor | '(' (type (',' type)*)? ')' ('->' result=type)? | other ;

other : '[' INTEGER 'x' type ']' | pointer='*' type | 'box' '{' type '}' | TYPE ;

tensor : word | bracketed ;

bracketed : '<' (extent 'x')* word '>' ;

shape : extent ('x' extent)* ;

extent : negative='-'? extentTerm (signs+=('+' | '-') extentTerm)* ;

extentTerm : extentFactor ('*' extentFactor)* ;

extentFactor
  : 'floor' '(' floorSide '/' floorSide ')'
  | INTEGER
  | REAL
  | word
  ;

floorSide : '(' extent ')' | extent ;

// ------------------------------------------------------------------------------------------------- words

clauseWord
  : 'to' | 'by' | 'along' | 'at' | 'from' | 'upto' | 'with' | 'init' | 'contract' | 'batch' | 'key'
  | 'of' | 'count' | 'counter' | 'kernel' | 'dims' | 'strides' | 'padding' | 'leftDilation' | 'rightDilation'
  | 'groups' | 'then' | 'else' | 'case'
  ;

/// A name, also where the same letters have a meaning elsewhere.
word
  : NAME | clauseWord | 'module' | 'stage' | 'parameter' | 'constant' | 'entry' | 'initialized' | 'stream' | 'doc' | 'require'
  | 'extern' | 'gradient' | 'adjoint' | 'jvp' | 'derivative' | 'func' | 'wrt' | 'keeping' | 'seedable' | 'floor' | 'x'
  | 'rank' | 'shape' | 'unitCount' | 'struct' | 'enum' | 'type' | 'var' | 'box' | 'allocateStack' | 'allocateHeap'
  | 'allocateBox' | 'peek' | 'pop' | 'state' | 'transposed'
  ;

/// Around a body; it is cut into statements before the rules above see them.
OPEN : '{' ;
CLOSE : '}' ;

INTEGER : [0-9]+ ;
REAL : [0-9]+ ('.' [0-9]+)? [eE] [+-]? [0-9]+ | [0-9]+ '.' [0-9]+ ;
NAME : LETTER REST* ;
/// `%x`, `%"any text"`, and without a name `%BLOCK.INSTRUCTION`, or `%BLOCK^ARGUMENT`.
VALUE : '%' (LETTER REST* | STRING | [0-9]+ ('.' | '^') [0-9]+) ;
GLOBAL : '@' (LETTER REST* | STRING | [0-9]+) ;
TYPE : '$' (LETTER REST* | [0-9]+) ;
KEY : '#' (LETTER REST* | [0-9]+) ;
CASE : '?' (LETTER REST* | [0-9]+) ;
LABEL : '\'' (LETTER REST* | STRING | [0-9]+) ;
STRING : '"' (~["\\\n\r] | '\\' ~[\n\r])* '"' ;
COMMENT : '//' ~[\n\r]* -> skip ;
SPACE : [ \t\r\n]+ -> skip ;
OTHER : . ;

fragment LETTER : [A-Za-z_] ;
fragment REST : [A-Za-z0-9_] | '.' [A-Za-z0-9_] ;
