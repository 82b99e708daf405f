# Patterns that match nearly everything: compiled in moments; places that the kernel refuses are left out and told; few files suffice or it is said.
. tests/live/lib.sh
for p in 'kprobe:*' 'kretprobe:*' 'uprobe:libc:*' 'tracepoint:*:*' 'syscall:*' 'rawtracepoint:*'; do
	SECONDS=0
	qt check -e "on $p tag comm"
	expect_code 0
	[ $SECONDS -lt 20 ] || complain "$p: took $SECONDS s"
done
qt check -e 'on fentry:* tag comm'
expect_code 2
expect_match 'too many trampolines' "$(cat "$err")" 'E0506.*matches [0-9]+ places, and each needs a program of its own: at most 2048.*narrower'

# irq_work_exit is refused by the kernel (it would trace itself), all others of its category are attached.
tracing=/sys/kernel/tracing
[ -d $tracing/events ] || tracing=/sys/kernel/debug/tracing
if [ -d $tracing/events/irq_vectors/irq_work_exit ]; then
	qt -d 100ms -f json -e 'on tracepoint:irq_vectors:* tag comm'
	expect_code 0
	n=$(find $tracing/events/irq_vectors -mindepth 1 -maxdepth 1 -type d | wc -l)
	expect_match 'attached' "$(cat "$out")" "\"probes\":$((n - 1))\}"
	expect_match 'left out' "$(cat "$err")" 'warning\[W0601\]: irq_vectors/irq_work_exit is left out: Operation not permitted'
fi

# The soft limit of open files is raised; the command of -c has the one that the shell gave.
(ulimit -Sn 16 && exec "$QTRACE" -q -f json -e 'on syscall:getppid tag comm' -c 'sh -c "ulimit -Sn"') >"$out" 2>"$err"
expect_match 'the limit of the command' "$(cat "$out")" $'(^|\n)16\n'
expect_match 'runs' "$(tail -n 1 "$out")" '"losses"'
for n in 7 9 11 13; do
	(ulimit -n $n && exec "$QTRACE" -q -f json -e 'on syscall:getppid tag comm' -d 1) >"$out" 2>"$err"
	code=$?
	expect_code 1
	expect_match "advice with $n" "$(cat "$err")" 'open files.*ulimit -Hn'
done

# What is left out is told when the rest is attached, before any result.
timeout 20 "$QTRACE" -e 'begin { printf("a result\n"); }' -c 'true |' -d 1 >"$out" 2>&1
expect_match 'the order' "$(cat "$out")" 'W0602.*Attaching'
