# A run from the command line's side: where results go, exit codes, plans from files, terminals.
. tests/live/lib.sh
[ "$(id -u)" -eq 0 ] || skip 'needs root'
hello='begin { printf("hello %d\n", $1); exit(); }'
qt -q -e "$hello" 7 && expect_eq 'a parameter' "$(cat "$out" "$err")" 'hello 7'
qt -e "$hello" 7 && expect_eq 'one line about attaching' "$(cat "$err")" 'Attaching 1 probe...'
qt -q -o "$T/results" -e "$hello" 7 && expect_eq 'into a file' "$(cat "$T/results" "$out")" 'hello 7'
printf '#!/usr/bin/env qtrace\n%s' "$hello" >"$T/hello.qt"
qt -q "$T/hello.qt" -13 && expect_eq 'a script' "$(cat "$out")" 'hello -13'
qt build "$T/hello.qt" -o "$T/hello.qtp" 5
qt -q "$T/hello.qtp" && expect_eq 'a plan' "$(cat "$out")" 'hello 5'

qt -q -e 'begin { exit(23); }' && true
expect_code 23
"$QTRACE" -q -e "$hello" 7 2>"$err" >/dev/full
expect_eq 'a full disk' $? 1
expect_match 'says so' "$(cat "$err")" 'E0706.*No space left'
qt -q -o /dev/full -e "$hello" 7
expect_code 1
qt -q -o "$T/none/x" -e "$hello" 7
expect_code 1

full='config = { max_entries = 16; } uprobe:./keys:* { @[arg0] = count(); }'
cd "$TRIG" || exit 1
TRUTH=$truth qt -q --strict -e "$full" -c ./keys
expect_code 3
expect_match 'the loss' "$(cat "$err")" '^lost: [0-9]+ updates dropped .*\(@\); raise it'
TRUTH=$truth qt -q -e "$full" -c ./keys
expect_code 0
TRUTH=$truth qt -q --top 2 -e "$full" -c ./keys
expect_eq 'rows' "$(grep -c '^@\[' "$out")" 2

# On a terminal: coloured and no wider than it, unless NO_COLOR; hostile bytes never.
tty() { TRUTH=$truth script -qc "stty cols 60; $QTRACE -q -e 'on uprobe:./strings:take tag str(arg0) as t count()' -c ./strings 2>/dev/null" /dev/null </dev/null | tr -d '\r'; }
tty >"$T/tty"
expect_match 'a bold title' "$(head -n 1 "$T/tty")" $'^\e\\[1mt\e\\[0m$'
expect_eq 'a clearing of the screen' "$(grep -c $'\e\\[2J' "$T/tty")" 0
expect_eq 'as wide as the terminal' "$(sed $'s/\e\\[[0-9;]*m//g' "$T/tty" | LC_ALL=C.UTF-8 wc -L)" 60
NO_COLOR=1 tty >"$T/plain"
expect_eq 'escapes under NO_COLOR' "$(grep -c $'\e' "$T/plain")" 0
