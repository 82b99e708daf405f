# A system call's arguments are there at its return, with its result and its time.
. tests/live/lib.sh
qtc target -e 'on syscall:pread64:return if args.count == 17 tag args.count as p count(), sum(ret) as bytes, min(latency) as least, max(latency) as most'
expect_code 0
n=$(true_value preads | awk '{ n += $1 } END { print n }')
expect_eq 'count and bytes' "$(rows p count bytes)" "$n"$'\t'"$((n * 17))"
read -r least most < <(rows p least_ns most_ns)
expect_eq 'times in order' "$((least > 0 && least <= most && most < 1000000000))" 1
