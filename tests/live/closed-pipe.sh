# A reader that goes away ends the run quietly.
. tests/live/lib.sh
(cd "$TRIG" && exec ./spin 100000 >/dev/null) &
spin=$!
begin=$(date +%s)
timeout 20 "$QTRACE" -q -e "uprobe:$TRIG/spin:turn { printf(\"%d\\n\", arg0); }" 2>"$err" | head -n 1 >"$T/first"
took=$(($(date +%s) - begin))
kill $spin
expect_match 'first line' "$(cat "$T/first")" '^[0-9]+$'
expect_eq "ended soon ($took s)" "$((took < 8))" 1
expect_eq 'no message' "$(cat "$err")" ''
