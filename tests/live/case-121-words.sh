# The command of -c is split as a shell would split it, and no shell sees it: quotes, nested quotes, backslashes; $ and * stand for themselves.
. tests/live/lib.sh
words() {
	qt -q -e "on uprobe:$TRIG/once:once tag 1" -c "$TRIG/once $1"
	expect_eq "$1" "$(head -n 1 "$out")" "$2once=2"
}
words "'a b' \"c 'd'\" e\\ f" "[a b][c 'd'][e f]"
words '$HOME * ~' '[$HOME][*][~]'
words '"" '"''"' x' '[][][x]'
words '"a\"b" '"'a\\b'" '[a"b][a\b]'
for broken in "'a" '"a' 'a\'; do
	qt -e "on uprobe:$TRIG/once:once tag 1" -c "$TRIG/once $broken"
	expect_match "$broken" "$(cat "$err")" 'E0609.*not closed|E0609.*backslash'
	[ "$code" -ne 0 ] || complain "$broken: exit code 0"
done
