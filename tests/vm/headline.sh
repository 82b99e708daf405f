# The headline, literally, by each of the two mechanisms: every read of each context, exactly, by kprobe and by fentry.
. tests/live/lib.sh
cp "$TRIG/target" "$T/" && cd "$T" || exit 1
TRUTH=$truth ./target
want=$(sed -n 's/^ctx=\([0-9]*\) .* total=\([0-9]*\) .*/\1\t\2/p' "$truth")

# Text output, as a user sees it first.
qt -e 'on uprobe:./target:fn set ctx=arg1; on kprobe:vfs_read tag ctx' -c ./target
expect_code 0
while read -r ctx count; do
	expect_match "the table's row of $ctx" "$(cat "$out")" "(^|[^0-9])$ctx +$count([^0-9]|$)"
done <<<"$want"

for probe in kprobe:vfs_read kprobe:vfs_read+0 fentry:vfs_read; do
	qt -f json -o "$T/json" -e "on uprobe:./target:fn set ctx=arg1; on $probe tag ctx" -c ./target
	expect_code 0
	"$J" rows - ctx count <"$T/json" | expect_rows "$probe" "$want"
	# What ran without a context is told: at least the 53 reads of main.
	expect_eq "$probe: untagged" "$(($("$J" get tag untagged <"$T/json") >= 53))" 1
done
