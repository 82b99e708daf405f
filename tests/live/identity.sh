# Who, where, and addresses: each against what the system's own tools say.
. tests/live/lib.sh
qt -q -f json -e 'begin { printf("%s|%d|%s", username, uid, ntop(0x0100007f)); exit(); }'
expect_eq 'begin' "$(get printf data)" "$(id -un)|$(id -u)|127.0.0.1"
address=$(awk '$3 == "vfs_read" { print "0x" $1; exit }' /proc/kallsyms)
qt -q -f json -e "begin { printf(\"%s %s %x\", ksym($address), ksym($address + 4), bswap((uint32)0x01020304)); exit(); }"
expect_eq 'ksym' "$(get printf data)" 'vfs_read vfs_read+4 4030201'
# The cgroup is that of this shell.
path=$(sed -n 's/^0:://p' /proc/self/cgroup)
if [ -n "$path" ] && grep -q ' cgroup2 ' /proc/self/mounts; then
	qtc target -e 'on syscall:read tag cgroup_path(cgroup) as calls'
	expect_eq 'cgroup' "$(rows calls 'cgroup_path(cgroup)' count | head -1 | cut -f1)" "$path"
fi
