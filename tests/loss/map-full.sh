# More keys than a table holds: rows and the count of what did not fit add up.
. tests/live/lib.sh
qtc 'keys 2003' -e 'config = { max_entries = 1009; } uprobe:./keys:key { @n[arg0] = count(); }'
expect_eq 'rows' "$(map @n | wc -l)" 1009
expect_eq 'lost' "$(loss map_full)" "$((3 * (2003 - 1009)))"
qtc 'keys 2003' -e 'config = { max_entries = 1009; } on uprobe:./keys:key tag arg0 as t count(), sum(arg0) as s'
expect_eq 'rows of a tag' "$(rows t count | wc -l)" 1009
expect_eq 'counted and lost' "$(($(rows t count | awk '{ n += $1 } END { print n }') + $(loss map_full)))" 6009
# Told on standard error too, with the number.
cd "$TRIG" && qt -e 'config = { max_entries = 1009; } uprobe:./keys:key { @n[arg0] = count(); }' -c './keys 2003'
expect_match 'message' "$(cat "$err")" '2982'
