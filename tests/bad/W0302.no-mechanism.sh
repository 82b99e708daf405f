"$QTRACE" check -e 'on kprobe:vfs_read tag comm' --target tests/fixtures/target --without kprobe --without fentry
