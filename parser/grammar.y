/* The grammar. The parser is fed token by token (push), knows exactly what it could have accepted (LAC), and only calls constructors.
 * Errors inside braces are recovered here, at ';' and '}'; errors outside end this parser, and parser.c begins anew at the next item.
 *
 * Precedence, from loose to tight:
 *     ?:                          right
 *     ??                          right
 *     ||                          left
 *     &&                          left
 *     |                           left
 *     ^                           left
 *     &                           left
 *     == !=                       left
 *     < > <= >=                   left
 *     << >>                       left
 *     + -                         left
 *     * / %                       left
 *     ! ~ - * & ++ -- (type)      prefix
 *     . -> [] () ++ --            suffix
 */
%define api.prefix {qt_yy}
%define api.pure full
%define api.push-pull push
%define api.token.prefix {TK_}
%define api.location.type {struct qt_span}
%define parse.error custom
%define parse.lac full
%locations
%expect 0
%param { struct qt_parse *p }

%code requires {
#include "parser/parser_internal.h"
}

%union {
	const struct qt_token *tok;
	struct qt_ast *node;
	struct qt_ast_list list;
	bool flag;
}

%code {
static struct qt_span span_over(const struct qt_span *rhs, int n);
static void yyerror(const struct qt_span *where, struct qt_parse *p, const char *message);

/* From the first part that is not empty to the last one. */
#define YYLLOC_DEFAULT(cur, rhs, n) \
	((cur) = (n) ? span_over(&YYRHSLOC(rhs, 1) - 1, n) : (struct qt_span){ YYRHSLOC(rhs, 0).file, YYRHSLOC(rhs, 0).end, YYRHSLOC(rhs, 0).end })
}

%token EOF 0 "the end of the script"
%token <tok> NUMBER 258 STRING 259 NAME 260 TYPE 261 PROBE 262 SCRATCH 263 MAP 264 POSITIONAL 265 FILTER_OPEN 266 FILTER_CLOSE 267
%token <tok> COALESCE 268 "??" OROR 269 "||" ANDAND 270 "&&" EQ 271 "==" NE 272 "!=" LE 273 "<=" GE 274 ">=" SHL 275 "<<" SHR 276 ">>"
%token <tok> INC 277 "++" DEC 278 "--" ARROW 279 "->" ADD_SET 280 "+=" SUB_SET 281 "-=" MUL_SET 282 "*=" DIV_SET 283 "/="
%token <tok> MOD_SET 284 "%=" AND_SET 285 "&=" OR_SET 286 "|=" XOR_SET 287 "^=" SHL_SET 288 "<<=" SHR_SET 289 ">>="
%token <tok> ON 290 "on" IF 291 "if" ELSE 292 "else" WHILE 293 "while" FOR 294 "for" UNROLL 295 "unroll" RETURN 296 "return"
%token <tok> SIZEOF 297 "sizeof" TRUE 298 "true" FALSE 299 "false" SET 300 "set" CLEAR 301 "clear" TAG 302 "tag" CARRY 303 "carry"
%token <tok> ADOPT 304 "adopt" EMIT 305 "emit" AS 306 "as" INHERIT 307 "inherit" IN 308 "in" WITH 309 "with" PARAM 310 "param"
%token <tok> IMPORT 311 "import" CONFIG 312 "config" SPAN 313 "span" BREAKDOWN 314 "breakdown" TEST 315 "test" OVER 316 "over"
%token <tok> FROM 317 "from" TO 318 "to" FEED 319 "feed" EXPECT 320 "expect" UNTAGGED 321 "untagged" AT 322 "at"
%token <tok> BREAK 323 "break" CONTINUE 324 "continue" RANGE 325 ".."
%token <tok> '!' '%' '&' '(' ')' '*' '+' ',' '-' '.' '/' ':' ';' '<' '=' '>' '?' '[' ']' '^' '{' '|' '}' '~'

%type <node> item rule param import config setting test step feed feed_arg feed_at where_one expect row
%type <node> probe cond action verb set set_one clear cleared tag tag_key metric block stmt compound if return while for unroll range_end record_part
%type <node> expr unary postfix primary place map type
%type <list> probes actions settings setting_list steps feed_args feed_arg_list where where_list rows row_list sets cleared_list tag_keys metrics metric_list
%type <list> stmts complete exprs args record_parts
%type <tok> opt_doc opt_as opt_type untagged member table assign_op
%type <flag> opt_inherit

%right '?' ':'
%right "??"
%left "||"
%left "&&"
%left '|'
%left '^'
%left '&'
%left "==" "!="
%left '<' '>' "<=" ">="
%left "<<" ">>"
%left '+' '-'
%left '*' '/' '%'
%precedence MAP_ALONE
%precedence '['

%%

program:
  %empty
| program item		{ p->program->items = qt_list_add(p, p->program->items, $item); }
| program ';'
;

item: rule | param | import | config | test;

/* ---- rules ---- */

rule:
  "on" probes cond actions	{ $$ = qt_make_rule(p, @$, $probes, $cond, $actions, true); }
| probes cond block		{ $$ = qt_make_rule(p, @$, $probes, $cond, qt_list_one(p, $block), false); }
| probes cond verb		{ $$ = qt_make_rule(p, @$, $probes, $cond, qt_list_one(p, $verb), false); }
| probes cond verb actions	{ $$ = qt_make_rule(p, @$, $probes, $cond, qt_list_prepend(p, $verb, $actions), false); }
;

probes:
  probe			{ $$ = qt_list_one(p, $probe); }
| probes ',' probe	{ $$ = qt_list_add(p, $1, $probe); }
;

probe: PROBE		{ $$ = qt_make_probe(p, $1); };

cond:
  %empty				{ $$ = NULL; }
| cond "if" expr			{ $$ = qt_make_both(p, $1, $expr); }
| cond FILTER_OPEN expr FILTER_CLOSE	{ $$ = qt_make_both(p, $1, $expr); }
;

actions:
  action		{ $$ = qt_list_one(p, $action); }
| actions action	{ $$ = qt_list_add(p, $1, $action); }
;

action: verb | block;

verb: set | clear | tag;

/* ---- the other items ---- */

param:
  "param" NAME opt_type '=' expr opt_doc
	{ $$ = qt_make_param(p, @$, $NAME->name, $opt_type ? $opt_type->name : NULL, $expr, $opt_doc); }
;

opt_type:
  %empty	{ $$ = NULL; }
| ':' NAME	{ $$ = $2; }
| ':' TYPE	{ $$ = $2; }
;

opt_doc:
  %empty	{ $$ = NULL; }
| STRING
;

import: "import" STRING		{ $$ = qt_make_import(p, @$, $STRING); };

config: "config" '=' '{' settings '}'	{ $$ = qt_make_config(p, @$, $settings); };

settings:
  setting_list
| setting_list setting			{ $$ = qt_list_add(p, $1, $setting); }
| setting_list error			{ $$ = $1; }
;

setting_list:
  %empty				{ $$ = (qt_list){ 0 }; }
| setting_list ';'
| setting_list setting ';'		{ $$ = qt_list_add(p, $1, $setting); }
| setting_list error ';'		{ $$ = $1; yyerrok; }
;

setting: NAME '=' expr			{ $$ = qt_make_setting(p, @$, $NAME->name, $expr); };

/* ---- tests ---- */

test:
  "test" STRING '{' steps '}'		{ $$ = qt_make_test(p, @$, $STRING, $steps); }
| "test" STRING '{' steps error '}'	{ $$ = qt_make_test(p, @$, $STRING, $steps); yyerrok; }
;

steps:
  %empty		{ $$ = (qt_list){ 0 }; }
| steps ';'
| steps step		{ $$ = qt_list_add(p, $1, $step); }
| steps error ';'	{ $$ = $1; yyerrok; }
;

step: feed | expect;

feed:
  "feed" probe feed_args where feed_at	{ $$ = qt_make_feed(p, @$, $probe, $feed_args, $where, $feed_at); }
;

feed_args:
  %empty			{ $$ = (qt_list){ 0 }; }
| '(' ')'			{ $$ = (qt_list){ 0 }; }
| '(' feed_arg_list ')'		{ $$ = $2; }
;

feed_arg_list:
  feed_arg			{ $$ = qt_list_one(p, $1); }
| feed_arg_list ',' feed_arg	{ $$ = qt_list_add(p, $1, $3); }
;

feed_arg:
  expr			{ $$ = qt_make_feed_arg(p, @$, NULL, $expr); }
| NAME '=' expr		{ $$ = qt_make_feed_arg(p, @$, $NAME->name, $expr); }
;

where:
  %empty		{ $$ = (qt_list){ 0 }; }
| "as" where_list	{ $$ = $2; }
;

where_list:
  where_one			{ $$ = qt_list_one(p, $1); }
| where_list ',' where_one	{ $$ = qt_list_add(p, $1, $3); }
;

where_one: NAME expr	{ $$ = qt_make_feed_arg(p, @$, $NAME->name, $expr); };

feed_at:
  %empty		{ $$ = NULL; }
| "at" expr		{ $$ = qt_make_feed_arg(p, @$, $1->name, $expr); }
;

expect:
  "expect" table untagged rows	{ $$ = qt_make_expect(p, @$, qt_table_name(p, $table), $untagged, $rows); }
;

table: NAME | MAP | STRING;

untagged:
  %empty		{ $$ = NULL; }
| "untagged" NUMBER	{ $$ = $2; }
;

rows:
  %empty			{ $$ = (qt_list){ 0 }; }
| '{' row_list '}'		{ $$ = $2; }
| '{' row_list row '}'		{ $$ = qt_list_add(p, $2, $3); }
| '{' row_list error '}'	{ $$ = $2; yyerrok; }
;

row_list:
  %empty		{ $$ = (qt_list){ 0 }; }
| row_list ';'
| row_list row ';'	{ $$ = qt_list_add(p, $1, $2); }
| row_list error ';'	{ $$ = $1; yyerrok; }
;

row:
  exprs			{ $$ = qt_make_expect_row(p, @$, (qt_list){ 0 }, $1); }
| exprs ':' exprs	{ $$ = qt_make_expect_row(p, @$, $1, $3); }
;

/* ---- set, clear, tag ---- */

set: "set" sets opt_inherit	{ $$ = qt_make_set(p, @$, $sets, $opt_inherit); };

sets:
  set_one		{ $$ = qt_list_one(p, $1); }
| sets ',' set_one	{ $$ = qt_list_add(p, $1, $3); }
;

set_one: NAME '=' expr	{ $$ = qt_make_set_one(p, @$, $NAME->name, $expr); };

opt_inherit:
  %empty	{ $$ = false; }
| "inherit"	{ $$ = true; }
;

clear: "clear" cleared_list	{ $$ = qt_make_clear(p, @$, $2); };

cleared_list:
  cleared			{ $$ = qt_list_one(p, $1); }
| cleared_list ',' cleared	{ $$ = qt_list_add(p, $1, $3); }
;

cleared: NAME		{ $$ = qt_make_ident(p, $1); };

tag: "tag" tag_keys opt_as metrics
	{ $$ = qt_make_tag(p, @$, $tag_keys, $opt_as ? $opt_as->name : NULL, $metrics); };

tag_keys:
  tag_key		{ $$ = qt_list_one(p, $1); }
| tag_keys ',' tag_key	{ $$ = qt_list_add(p, $1, $3); }
;

tag_key: expr		{ $$ = qt_make_tag_key(p, @$, $1); };

opt_as:
  %empty		{ $$ = NULL; }
| "as" NAME		{ $$ = $2; }
;

metrics:
  %empty		{ $$ = (qt_list){ 0 }; }
| metric_list
;

metric_list:
  metric			{ $$ = qt_list_one(p, $1); }
| metric_list ',' metric	{ $$ = qt_list_add(p, $1, $3); }
;

metric: NAME '(' args ')' opt_as
	{ $$ = qt_make_metric(p, @$, $NAME->name, $args, $opt_as ? $opt_as->name : NULL); };

/* ---- blocks: simple statements end in ';', which the last one may leave out ---- */

block:
  '{' stmts '}'			{ $$ = qt_make_block(p, @$, $stmts); }
| '{' complete error '}'	{ $$ = qt_make_block(p, @$, $complete); yyerrok; }
;

stmts:
  complete
| complete stmt		{ $$ = qt_list_add(p, $1, $stmt); }
;

complete:
  %empty		{ $$ = (qt_list){ 0 }; }
| complete ';'
| complete stmt ';'	{ $$ = qt_list_add(p, $1, $stmt); }
| complete compound	{ $$ = qt_list_add(p, $1, $compound); }
| complete error ';'	{ $$ = $1; yyerrok; }
;

compound: if | while | for | unroll | block;

stmt:
  expr			{ $$ = qt_make_expr_stmt(p, @$, $expr); }
| place assign_op expr	{ $$ = qt_make_assign(p, @$, $place, $assign_op->name, $expr); }
| verb
| return
| "break"		{ $$ = qt_make_jump(p, @$, QT_AST_break); }
| "continue"		{ $$ = qt_make_jump(p, @$, QT_AST_continue); }
;

assign_op: '=' | "+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^=" | "<<=" | ">>=";

if:
  "if" expr block		{ $$ = qt_make_if(p, @$, $expr, $block, NULL); }
| "if" expr block "else" block	{ $$ = qt_make_if(p, @$, $expr, $3, $5); }
| "if" expr block "else" if	{ $$ = qt_make_if(p, @$, $expr, $3, $5); }
;

while: "while" expr block	{ $$ = qt_make_while(p, @$, $expr, $block); };

/* Over the numbers from the first to the one before the second, or over a map. */
for:
  "for" SCRATCH ':' expr range_end block		{ $$ = qt_make_for(p, @$, $SCRATCH, $expr, $range_end, $block); }
| "for" '(' SCRATCH ':' expr range_end ')' block	{ $$ = qt_make_for(p, @$, $SCRATCH, $expr, $range_end, $block); }
;

range_end:
  %empty		{ $$ = NULL; }
| ".." expr		{ $$ = $2; }
;

unroll: "unroll" expr block	{ $$ = qt_make_unroll(p, @$, $expr, $block); };

return:
  "return"		{ $$ = qt_make_return(p, @$, NULL); }
| "return" expr		{ $$ = qt_make_return(p, @$, $expr); }
;

/* ---- expressions ---- */

expr:
  unary
| expr '?' expr ':' expr	{ $$ = qt_make_ternary(p, @$, $1, $3, $5); }
| expr "??" expr	{ $$ = qt_make_coalesce(p, @$, $1, $3); }
| expr "||" expr	{ $$ = qt_make_binary(p, @$, $1, $2->name, $3); }
| expr "&&" expr	{ $$ = qt_make_binary(p, @$, $1, $2->name, $3); }
| expr '|' expr		{ $$ = qt_make_binary(p, @$, $1, $2->name, $3); }
| expr '^' expr		{ $$ = qt_make_binary(p, @$, $1, $2->name, $3); }
| expr '&' expr		{ $$ = qt_make_binary(p, @$, $1, $2->name, $3); }
| expr "==" expr	{ $$ = qt_make_binary(p, @$, $1, $2->name, $3); }
| expr "!=" expr	{ $$ = qt_make_binary(p, @$, $1, $2->name, $3); }
| expr '<' expr		{ $$ = qt_make_binary(p, @$, $1, $2->name, $3); }
| expr '>' expr		{ $$ = qt_make_binary(p, @$, $1, $2->name, $3); }
| expr "<=" expr	{ $$ = qt_make_binary(p, @$, $1, $2->name, $3); }
| expr ">=" expr	{ $$ = qt_make_binary(p, @$, $1, $2->name, $3); }
| expr "<<" expr	{ $$ = qt_make_binary(p, @$, $1, $2->name, $3); }
| expr ">>" expr	{ $$ = qt_make_binary(p, @$, $1, $2->name, $3); }
| expr '+' expr		{ $$ = qt_make_binary(p, @$, $1, $2->name, $3); }
| expr '-' expr		{ $$ = qt_make_binary(p, @$, $1, $2->name, $3); }
| expr '*' expr		{ $$ = qt_make_binary(p, @$, $1, $2->name, $3); }
| expr '/' expr		{ $$ = qt_make_binary(p, @$, $1, $2->name, $3); }
| expr '%' expr		{ $$ = qt_make_binary(p, @$, $1, $2->name, $3); }
;

unary:
  postfix
| '!' unary		{ $$ = qt_make_unary(p, @$, $1->name, $2); }
| '~' unary		{ $$ = qt_make_unary(p, @$, $1->name, $2); }
| '-' unary		{ $$ = qt_make_unary(p, @$, $1->name, $2); }
| '*' unary		{ $$ = qt_make_unary(p, @$, $1->name, $2); }
| '&' unary		{ $$ = qt_make_unary(p, @$, $1->name, $2); }
| "++" place		{ $$ = qt_make_incdec(p, @$, $1->name, $2, true); }
| "--" place		{ $$ = qt_make_incdec(p, @$, $1->name, $2, true); }
| '(' type ')' unary	{ $$ = qt_make_cast(p, @$, $2, $4); }
;

type:
  TYPE			{ $$ = qt_make_type_name(p, @$, $1->name, 0); }
| type '*'		{ $$ = qt_make_type_name(p, @$, QT_AST(type_name, $1)->name, QT_AST(type_name, $1)->stars + 1); }
;

postfix:
  primary
| postfix '.' member		{ $$ = qt_make_member(p, @$, $1, $member->name, false); }
| postfix "->" member		{ $$ = qt_make_member(p, @$, $1, $member->name, true); }
| postfix '[' expr ']'		{ $$ = qt_make_index(p, @$, $1, $3); }
| place "++"			{ $$ = qt_make_incdec(p, @$, $2->name, $1, false); }
| place "--"			{ $$ = qt_make_incdec(p, @$, $2->name, $1, false); }
;

/* A number names an element of a tuple. */
member: NAME | NUMBER;

primary:
  NUMBER		{ $$ = qt_make_int(p, $1); }
| STRING		{ $$ = qt_make_str(p, $1); }
| "true"		{ $$ = qt_make_bool(p, $1); }
| "false"		{ $$ = qt_make_bool(p, $1); }
| NAME			{ $$ = qt_make_ident(p, $1); }
| POSITIONAL		{ $$ = qt_make_positional(p, $1); }
| NAME '(' args ')'	{ $$ = qt_make_call(p, @$, $1->name, $args); }
| '(' expr ')'		{ $$ = $2; }
| '(' record_parts ')'	{ $$ = qt_make_record(p, @$, $2); }
| '(' expr ',' exprs ')'	{ $$ = qt_make_tuple(p, @$, qt_list_prepend(p, $2, $4)); }
| place
;

record_parts:
  record_part			{ $$ = qt_list_one(p, $1); }
| record_parts ',' record_part	{ $$ = qt_list_add(p, $1, $3); }
;

record_part: NAME '=' expr	{ $$ = qt_make_record_part(p, @$, $NAME->name, $expr); };

place:
  SCRATCH		{ $$ = qt_make_scratch(p, $1); }
| map
;

map:
  MAP %prec MAP_ALONE	{ $$ = qt_make_map(p, @$, $1->name, (qt_list){ 0 }); }
| MAP '[' exprs ']'	{ $$ = qt_make_map(p, @$, $1->name, $exprs); }
;

args:
  %empty		{ $$ = (qt_list){ 0 }; }
| exprs
;

exprs:
  expr			{ $$ = qt_list_one(p, $1); }
| exprs ',' expr	{ $$ = qt_list_add(p, $1, $3); }
;

%%

/* RHS is the place before the first part's. */
static struct qt_span span_over(const struct qt_span *rhs, int n)
{
	int first = 1, last = n;

	while (first < n && rhs[first].begin == rhs[first].end)
		first++;
	while (last > first && rhs[last].begin == rhs[last].end)
		last--;
	return qt_span_join(rhs[first], rhs[last]);
}

/* Only called when the parser's own stack is full. */
static void yyerror(const struct qt_span *where, struct qt_parse *p, const char *message)
{
	(void)message;
	qt_depth_error(p, *where);
}

static int yyreport_syntax_error(const yypcontext_t *ctx, struct qt_parse *p)
{
	bool expected[QT_TOKENS_END] = { false }, symbols[YYNTOKENS] = { false };
	yysymbol_kind_t list[YYNTOKENS];
	int n = yypcontext_expected_tokens(ctx, list, YYNTOKENS);

	for (int i = 0; i < n; i++)
		symbols[list[i]] = true;
#define TOKEN(kind, number, class, spelling) expected[number] = symbols[YYTRANSLATE(number)];
#include "lexer/tokens.def"
#undef TOKEN
	qt_syntax_error(p, expected);
	return 0;
}

#define CHAR(kind, number, class, spelling)
#define TOKEN(kind, number, class, spelling) _Static_assert(TK_##kind == (number), "grammar.y and tokens.def differ about " #kind);
#include "lexer/tokens.def"
#undef TOKEN
#undef CHAR
