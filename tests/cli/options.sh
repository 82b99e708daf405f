# The command line: unknown and wrong options are errors with a code and a suggestion; exit code 2.
. tests/live/lib.sh
wrong() { # WHAT CODE WORDS... -- ARGS...
	local what=$1 want=$2 words=$3
	shift 3
	qt "$@"
	expect_code 2
	expect_match "$what: code" "$(cat "$err")" "error\[$want\]"
	expect_match "$what: words" "$(cat "$err")" "$words"
	expect_match "$what: the last line" "$(tail -n 1 "$err")" "^1 error; qtrace explain $want says more$"
	expect_eq "$what: standard output" "$(cat "$out")" ''
}
wrong 'unknown long option' E0701 'did you mean --format' --formt json -e 'begin { exit(); }'
wrong 'unknown letter' E0701 'no option -x' -x
wrong 'unknown letter among others' E0701 'no option -x' -qx
wrong 'ambiguous beginning' E0701 'no option --t' --t 5
wrong 'unknown format' E0702 'did you mean json' -f jsn -e 'begin { exit(); }'
wrong 'unknown stage' E0702 'did you mean tokens' --dump=token -e 'begin { exit(); }'
wrong 'unknown feature' E0702 'did you mean kprobe' --without=kprob -e 'begin { exit(); }'
wrong 'not a time' E0702 '500ms' -d soon -e 'begin { exit(); }'
wrong 'a time of nothing' E0702 '500ms' -i 0 -e 'begin { exit(); }'
wrong 'a time too long' E0702 '500ms' -d 9999999999h -e 'begin { exit(); }'
wrong 'not a process' E0702 '17,42' -p 1,x -e 'begin { exit(); }'
wrong 'not a number' E0702 'from 1 on' --top -1 -e 'begin { exit(); }'
wrong 'a value that is missing' E0703 '--program needs PROGRAM' -e
wrong 'a value too much' E0703 'takes nothing' --quiet=yes
wrong 'an option of another command' E0703 'check has no use for --command' check -c true -e 'begin { exit(); }'
wrong 'nothing to run' E0704 'nothing to run'
wrong 'an empty program' E0704 '-e has no rule.*on syscall:read tag comm' -e ''
printf '# only words\nconfig = { max_strlen = 64; }\n' >"$T/empty.qt"
wrong 'a script without a rule' E0704 'empty.qt has no rule' "$T/empty.qt"
wrong 'a plan without a rule' E0704 'empty.qt has no rule' build "$T/empty.qt" -o "$T/empty.qtp"
expect_eq 'no plan is left' "$(ls "$T/empty.qtp" 2>&1 | grep -c 'No such')" 1
qt check "$T/empty.qt"
expect_code 0
wrong 'nothing to check' E0704 'nothing to check' check
wrong 'a command misspelt' E0703 'did you mean check' chek
wrong 'no such file' E0705 'No such file' check "$T/none.qt"
wrong 'a folder' E0705 'directory' check "$T"
wrong 'no snapshot' E0708 'no facts' --target "$T/none" -e 'begin { exit(); }'
wrong 'no such code' E0709 'lists them' explain E9999
wrong 'no such cause' E0709 'did you mean ring_full' explain ring_ful

qt --help && expect_match help "$(cat "$out")" '--forward-exit.*Exit codes'
qt check --help && expect_match 'help of a command' "$(cat "$out")" 'qtrace check .*--json'
expect_eq 'options of other commands' "$(grep -c -- --forward-exit "$out")" 0
expect_eq 'blanks at line ends' "$(grep -c ' $' "$out")" 0
qt --version && expect_match version "$(cat "$out")" '^qtrace [0-9.]+.LLVM [0-9.]+.libbpf [0-9.]+$'

# From the environment; the command line wins; options only.
QTRACE_OPTIONS='--dump ast' qt check -e 'begin { exit(); }' && expect_match 'from the environment' "$(cat "$out")" '^\(program'
QTRACE_OPTIONS="--dump 'ast'" qt check --dump=tokens -e 'begin { exit(); }' && expect_eq 'the command line wins' "$(grep -c '(program' "$out")" 0
QTRACE_OPTIONS=x.qt qt check -e 'begin { exit(); }'
expect_code 2
expect_match 'no files there' "$(cat "$err")" 'options only'

# What belongs to the script.
qt check --dump=program -e 'begin { printf("%d %s", $1, str($2)); }' -- -5 --no-option
expect_code 0
