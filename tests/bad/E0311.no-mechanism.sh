"$QTRACE" --dump=program -e 'on kprobe:vfs_read tag comm; on kretprobe:tcp_retransmit_skb tag comm; on fentry:vfs_write tag comm' \
	--target tests/fixtures/target --without kprobe --without fentry
