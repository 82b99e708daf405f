# A process with threads by its id, and two runs side by side.
. tests/live/lib.sh

# -p follows every thread, also those that begin later; a second run beside it that leaves early takes nothing from the first.
mkfifo "$T/go"
"$TRIG/waits" 7 101 <"$T/go" >"$T/ready" &
process=$!
exec 9>"$T/go"
until [ -s "$T/ready" ]; do sleep 0.05; done
timeout 30 "$QTRACE" -f json -p $process -e 'on syscall:getppid tag pid == tid count()' >"$T/first" 2>"$err" &
first=$!
timeout 30 "$QTRACE" -q -f json -p $process -d 100ms -e 'on syscall:getppid tag pid count()' >"$T/second" 2>>"$err"
until grep -q attached "$T/first" || ! kill -0 $first 2>/dev/null; do sleep 0.05; done
echo >&9
exec 9>&-
wait $process
wait $first
code=$?
expect_code 0
cp "$T/first" "$out"
expect_eq 'calls of all threads' "$(rows - count | awk '{ n += $1 } END { print n }')" 707
expect_no_losses
expect_match 'the other run saw nothing' "$(cat "$T/second")" '"rows":\[\]'
