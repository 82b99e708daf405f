# For test scripts: sourced first. One script is one test; it goes on after a failed check and ends with exit code 1 then.
#   qt ARGS...            runs qtrace: $out and $err (files), $code; killed after 60 s
#   qtc TRIGGER ARGS...   the same under -c, results as JSON lines in $out, the target's truth in $truth
#   expect_eq WHAT GOT WANT · expect_match WHAT TEXT REGEX · expect_code N · expect_rows WHAT WANT < got
#   skip REASON           ends the test as skipped
# $T is a scratch folder, $TRIG the folder of the target programs, $J the JSON lines reader.
set -u
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
QTRACE=${QTRACE:-build/qtrace}
case $QTRACE in /*) ;; *) QTRACE=$top/$QTRACE ;; esac
TRIG=${TRIG:-$top/build/triggers}
J=$TRIG/jsonl
T=$(mktemp -d) || exit 1
touch "$T/out" "$T/err" "$T/truth"
out=$T/out err=$T/err truth=$T/truth code=0 skipped=''

finish() {
	local status=$?
	[ $status -eq 0 ] && [ -e "$T/failed" ] && status=1
	[ $status -eq 0 ] || [ ! -s "$err" ] || sed 's/^/  its standard error: /' "$err"
	rm -rf "$T"
	[ -z "$skipped" ] || exit 77
	exit $status
}
trap finish EXIT

skip() {
	echo "$1"
	skipped=1
	exit 77
}

# A file remembers, since checks also run at the end of a pipe, in a process of their own.
complain() {
	touch "$T/failed"
	echo "$1"
}

qt() {
	code=0
	timeout -k 2 60 "$QTRACE" "$@" >"$out" 2>"$err" </dev/null || code=$?
}

# qtc 'target args' QTRACE-ARGS...: the command runs in the folder of the triggers.
qtc() {
	local command=$1
	shift
	code=0
	(cd "$TRIG" && TRUTH=$truth timeout -k 2 60 "$QTRACE" -q -f json -o "$out" -c "./$command" "$@") >"$T/stdout" 2>"$err" </dev/null || code=$?
	"$J" check <"$out" || complain 'the results are not JSON lines'
}

expect_eq() {
	[ "$2" = "$3" ] && return
	complain "$1: got '$2', want '$3'"
}

expect_code() { expect_eq 'exit code' "$code" "$1"; }

expect_match() { [[ $2 =~ $3 ]] || complain "$1: '$2' does not match '$3'"; }

# Rows on standard input against the text WANT, sorted by bytes; prints what differs.
expect_rows() {
	printf '%s\n' "$2" | LC_ALL=C sort | sed '/^$/d' >"$T/want.rows"
	LC_ALL=C sort >"$T/got.rows"
	cmp -s "$T/want.rows" "$T/got.rows" && return
	complain "$1:"
	diff -u --label want --label got "$T/want.rows" "$T/got.rows"
}

rows() { "$J" rows "$@" <"$out"; }
map() { "$J" map "$@" <"$out"; }
get() { "$J" get "$@" <"$out"; }
loss() { get losses "data.$1"; }
untagged() { get tag untagged; }

# A value of the truth: true_value KEY
true_value() { sed -n "s/.*\b$1=\([^ ]*\).*/\1/p" "$truth"; }

# Losses that a correct run may not have: every cause must be 0.
expect_no_losses() {
	local bad
	bad=$(grep '"type":"losses"' "$out" | grep -oE '"[a-z_]+":[0-9]+' | grep -v ':0$')
	expect_eq 'losses' "$bad" ''
}
