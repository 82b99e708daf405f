# Page faults by comm on a kernel function: the program touches 1009 fresh pages.
. tests/live/lib.sh
cp "$TRIG/faults" "$T/" && cd "$T" || exit 1
qt -f json -o "$T/json" -e 'kprobe:handle_mm_fault { @[comm] = count(); }' -c ./faults
expect_code 0
n=$("$J" map @ <"$T/json" | awk '$1 == "faults" { print $2 }')
expect_eq 'at least the pages that it touches, few more' "$((${n:-0} >= 1009 && ${n:-0} < 1600))" 1

# Between entry and return of touch() alone, by its call, exactly.
qt -f json -o "$T/json" -e 'on uprobe:./faults:touch set call = arg2
	on uretprobe:./faults:touch clear call
	on kprobe:handle_mm_fault tag call count()' -c ./faults
expect_code 0
"$J" rows - call count <"$T/json" | grep -v '^1' | expect_rows 'faults of the second call of touch()' $'2\t1009'
