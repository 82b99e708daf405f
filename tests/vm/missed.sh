# What the kernel leaves out of itself: a trampoline on the function that reads texts of user space, whose program reads such a text. Each of its runs makes one call that
# the kernel does not deliver, since the program is running already: as many are missed as it counts.
. tests/live/lib.sh
qtc strings -e 'on uprobe:./strings:take if arg1 == 7 set text = str(arg0)
	on fentry:strncpy_from_user_nofault tag str(args.unsafe_addr) as reads count()'
n=$(sed -n 's/^kind=7 .* count=//p' "$truth")
expect_eq 'runs of the program' "$(rows reads count | awk '{ n += $1 } END { print n + 0 }')" "$n"
expect_eq 'missed' "$(loss missed)" "$n"
