# The demonstration against what the workload counts itself: each statement's reads and bytes, exactly. Housekeeping may only be
# more than the workload knows, by what the dynamic loader reads before main.
. tests/live/lib.sh
db=${DEMO_DB:-$top/build/demo/test.db}
(cd "$top" && TRUTH=$truth timeout -k 2 60 "$QTRACE" -q -f json -o "$out" scripts/sqlite-reads.qt -c "build/demo/sqlite-workload $db") >"$T/stdout" 2>"$err" </dev/null || code=$?
rm -f "$db"
expect_code 0
"$J" check <"$out" || complain 'the results are not JSON lines'
nobody='(nobody asked: housekeeping)'
rows reads reads bytes sql | grep -vF "$nobody" | expect_rows 'reads, bytes and text of each statement' "$(grep -vF "$nobody" "$truth")"
# At least six kinds of statements, or the comparison proves little.
expect_eq 'kinds of statements' "$(($(grep -cvF "$nobody" "$truth") >= 9))" 1
got=$(rows reads reads sql | grep -F "$nobody" | cut -f1) want=$(grep -F "$nobody" "$truth" | cut -f1)
expect_eq 'housekeeping' "$((got >= want && got <= want + 16))" 1
# Every row has times, and the largest is not below the mean.
rows reads avg_ns max_ns sql | awk -F'\t' '!($1 > 0 && $2 >= $1)' | expect_rows 'rows with wrong times' ''
expect_no_losses
