# Page faults by comm on a kernel function: the program touches 1009 fresh pages.
. tests/live/lib.sh
cp "$TRIG/faults" "$T/" && cd "$T" || exit 1
qt -f json -o "$T/json" -e 'kprobe:handle_mm_fault { @[comm] = count(); }' -c ./faults
expect_code 0
n=$("$J" map @ <"$T/json" | awk '$1 == "faults" { print $2 }')
expect_eq 'at least the pages that it touches, few more' "$((${n:-0} >= 1009 && ${n:-0} < 1600))" 1

# Between entry and return of touch() alone, exactly.
qt -f json -o "$T/json" -e 'on uprobe:./faults:touch set in_touch = 1
	on uretprobe:./faults:touch clear in_touch
	on kprobe:handle_mm_fault tag in_touch count()' -c ./faults
expect_code 0
"$J" rows - in_touch count <"$T/json" | expect_rows 'faults of touch()' $'1\t1009'
