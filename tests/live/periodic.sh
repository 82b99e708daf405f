# -i prints the tables as it goes, -d ends the run.
. tests/live/lib.sh
(cd "$TRIG" && exec ./spin 100000 >/dev/null) &
spin=$!
qt -q -f json -i 200ms -d 1s -e "on uprobe:$TRIG/spin:turn tag comm count()"
kill $spin
expect_code 0
n=$(grep -c '"type":"tag"' "$out")
expect_eq "tables ($n)" "$((n >= 3 && n <= 7))" 1
# Each shows no less than the one before.
get tag rows | grep -oE '"count":[0-9]+' | cut -d: -f2 | sort -nc || complain 'the counts do not grow'
