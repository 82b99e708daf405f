# Facts of this machine, saved by one check, are enough for the same check elsewhere: where neither the binary nor the tracepoint is looked at.
. tests/live/lib.sh
cp "$TRIG/target" "$T/app"
program="on uprobe:$T/app:fn set ctx = arg1; on syscall:getpid tag ctx"
qt check --save-target "$T/facts" -e "$program"
expect_code 0
qt check --dump=program -e "$program" && cp "$out" "$T/here"
rm "$T/app"
qt check --target "$T/facts" --dump=program -e "$program"
expect_code 0
expect_eq 'what the facts give' "$(cat "$out")" "$(cat "$T/here")"
qt check --target "$T/facts" -e "on uprobe:$T/app:fnn tag 1"
expect_code 2
expect_match 'a misspelt function' "$(cat "$err")" 'E0305.*fn'
qt check --target "$T/facts" --save-target "$T/more" -e "$program"
expect_code 2
expect_match 'both' "$(cat "$err")" 'save-target'
qt check --save-target /proc/facts -e 'on begin tag 1'
expect_code 2
expect_match 'a folder that cannot be made' "$(cat "$err")" '/proc/facts'
