# Ctrl-C: results are printed, exit code 0, soon.
. tests/live/lib.sh
(cd "$TRIG" && exec ./spin 100000 >/dev/null) &
spin=$!
"$QTRACE" -f json -o "$out" -e "on uprobe:$TRIG/spin:turn tag comm count()" 2>"$err" &
tracer=$!
for _ in $(seq 50); do grep -q attached "$out" 2>/dev/null && break; sleep 0.1; done
sleep 0.3
begin=$(date +%s%N)
kill -INT $tracer
wait $tracer
expect_eq 'exit code' $? 0
took=$((($(date +%s%N) - begin) / 1000000))
kill $spin
expect_eq "ended soon ($took ms)" "$((took < 1500))" 1
"$J" check <"$out" || complain 'not JSON lines'
n=$(rows - count)
expect_eq "counted ($n)" "$((${n:-0} > 100))" 1
expect_eq 'the last line' "$(tail -n 1 "$out" | grep -c '"type":"losses"')" 1
# A second Ctrl-C ends it at once, also while nobody reads what it writes.
mkfifo "$T/pipe"
sleep 30 <"$T/pipe" &
reader=$!
line=$(printf '%090d' 0)
"$QTRACE" -q -e "interval:ms:1 { printf(\"$line\\n\"); }" >"$T/pipe" 2>>"$err" &
tracer=$!
sleep 2
kill -INT $tracer
sleep 0.6
begin=$(date +%s%N)
kill -INT $tracer
wait $tracer
expect_eq 'ended by the signal' $? 130
took=$((($(date +%s%N) - begin) / 1000000))
kill $reader
expect_eq "the second signal ended it at once ($took ms)" "$((took < 1000))" 1
