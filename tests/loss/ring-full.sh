# A flood of printf: lines shown and lines lost add up to the true number.
. tests/live/lib.sh
qtc 'hits 100003 2' -e 'uprobe:./hits:hit { printf("%d\n", arg0); }'
shown=$(grep -c '"type":"printf"' "$out") lost=$(loss ring_full)
expect_eq "shown $shown and lost $lost" "$((shown + lost))" "$(true_value hits)"
# Forced: more than the ring and the pipe hold, while nobody reads for a while.
mkfifo "$T/fifo"
(exec 3<"$T/fifo" && sleep 4 && cat <&3 >"$T/slow") &
(cd "$TRIG" && TRUTH=$truth timeout 60 "$QTRACE" -q -f json -e 'uprobe:./hits:hit { printf("%s %d\n", "a line that takes its place", arg0); }' -c './hits 100003 4' >"$T/fifo") 2>"$err"
wait
shown=$(grep -c '"type":"printf"' "$T/slow") lost=$("$J" get losses data.ring_full <"$T/slow")
expect_eq "shown $shown and lost $lost" "$((shown + lost))" "$(true_value hits)"
expect_eq 'some were lost' "$((lost > 0))" 1
