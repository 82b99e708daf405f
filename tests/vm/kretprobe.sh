# Return probes in the kernel: each read has its entry's time and its result, whatever the mechanism.
. tests/live/lib.sh
cp "$TRIG/target" "$T/" && cd "$T" || exit 1
TRUTH=$truth ./target
want=$(sed -n 's/^ctx=\([0-9]*\) .* total=\([0-9]*\) bytes=\([0-9]*\)/\1\t\2\t\3\t\2/p' "$truth")
for probe in kretprobe:vfs_read fexit:vfs_read; do
	qt -f json -o "$T/json" -e "on uprobe:./target:fn set ctx=arg1
		on $probe if retval > 0 tag ctx count(), sum(retval) as bytes, hist(latency) as latency" -c ./target
	expect_code 0
	"$J" rows - ctx count bytes latency_ns.count <"$T/json" | expect_rows "$probe" "$want"
done
