# What surrounds a run: closed and full outputs, no privileges, no tracefs.
. tests/live/lib.sh
run() { timeout -k 2 30 "$QTRACE" -q -d 100ms -e 'on syscall:read tag comm' "$@"; }
run >&- 2>"$err"
code=$?
expect_code 1
expect_match 'closed output' "$(cat "$err")" 'E0706.*not complete'
run >/dev/full 2>"$err"
code=$?
expect_code 1
expect_match 'full output' "$(cat "$err")" 'E0706.*No space left'
run <&- >"$out" 2>"$err"
code=$?
expect_code 0
run 2>&- >"$out"
code=$?
expect_code 0
[ -s "$out" ] || complain 'no results without standard error'

cp "$QTRACE" "$T/qtrace" && chmod 755 "$T" "$T/qtrace"
if command -v setpriv >/dev/null; then
	setpriv --reuid 65534 --regid 65534 --clear-groups timeout 20 "$T/qtrace" -d 100ms -e 'on uprobe:libc:malloc tag comm' >"$out" 2>"$err"
	code=$?
	expect_code 1
	expect_match 'no privileges' "$(cat "$err")" 'error\[E0601\].*CAP_BPF and CAP_PERFMON.*sudo'
fi

# Without tracefs user probes work; what needs it says so.
cat >"$T/bare.sh" <<'B'
for d in /sys/kernel/tracing /sys/kernel/debug/tracing /sys/kernel/debug; do umount -l $d 2>/dev/null; done
[ ! -d /sys/kernel/tracing/events ] || exit 77
TRUTH=/dev/null timeout 20 "$1" -q -f json -e 'on uprobe:./leader:work tag 1 count()' -c './leader daemon' >"$2"
B
if unshare -m true 2>/dev/null; then
	(cd "$TRIG" && unshare -m sh "$T/bare.sh" "$QTRACE" "$out" 2>"$err")
	code=$?
	if [ $code -ne 77 ]; then
		expect_code 0
		expect_eq 'without tracefs' "$(rows - count)" 17
	fi
fi
