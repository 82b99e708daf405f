# The machine itself: the kernel's version, kprobes and BTF are there, the disk can be written.
. tests/live/lib.sh
expect_match 'kernel' "$(uname -r)" '^6\.1\.'
expect_eq 'BTF' "$([ -r /sys/kernel/btf/vmlinux ] && echo there)" there
expect_eq 'kprobe_events' "$([ -e /sys/kernel/tracing/kprobe_events ] && echo there)" there
expect_match "mounts" "$(cat /proc/mounts)" "/dev/vda /disk ext4"
echo written >/disk/file && sync
expect_eq 'disk' "$(cat /disk/file)" written
