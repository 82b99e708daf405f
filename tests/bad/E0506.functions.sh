dir=$(mktemp -d) && trap 'rm -r "$dir"' EXIT
{
	printf 'feature\t%s\tyes\t\t\n' btf fentry kprobe
	for ((i = 0; i < 2053; i++)); do printf 'kernel_function\tnet_%d\ttyped\tyes\t-\t:void *\n' $i; done
} >"$dir/facts"
"$QTRACE" check --target "$dir" -e 'on kprobe:net_* tag comm' || exit
"$QTRACE" check --target "$dir" -e 'on fentry:net_* tag comm'
