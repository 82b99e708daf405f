# Each return of a recursion is paired with its own entry: argument, result and time.
. tests/live/lib.sh
qtc rec -e 'uretprobe:./rec:rec { @returned[arg0, retval] = count(); @least[arg0] = min(latency); @entries = count(); }'
map @returned | expect_rows 'argument and result' "$(for i in 0 1 2 3 4; do printf '%d,%d\t3\n' $i $i; done)"
expect_eq 'entries' "$(map @entries | cut -f2)" 15
# rec(n) sleeps n + 1 ms before it returns.
map @least | while IFS=$'\t' read -r n ns; do [ "$ns" -ge $(((n + 1) * 1000000)) ] || echo "rec($n) returned after $ns ns"; done | expect_rows 'times' ''
expect_eq 'depths' "$(map @least | wc -l)" 5
expect_no_losses
