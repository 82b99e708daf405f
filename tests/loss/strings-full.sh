# More different texts than a run keeps: every event is counted, the texts beyond are counted as lost and shown as such.
. tests/live/lib.sh
qtc 'keys 2003' -e 'config = { max_strings = 1009; } on uprobe:./keys:key tag str(arg1) as t count()'
expect_eq 'counted' "$(rows t count | awk '{ n += $1 } END { print n }')" 6009
expect_eq 'rows with their text' "$(grep -o '"SELECT [0-9]*"' "$out" | wc -l)" 1009
expect_eq 'lost texts' "$(loss strings_full)" "$((3 * (2003 - 1009)))"
expect_eq 'lost updates' "$(loss map_full)" 0
cd "$TRIG" && qt -e 'config = { max_strings = 1009; } on uprobe:./keys:key tag str(arg1) as t count()' -c './keys 2003'
expect_match 'message' "$(cat "$err")" '2982 texts not kept.*max_strings'
