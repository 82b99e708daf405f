# Compiles against the frozen facts; runs where the kernel has kprobes.
. tests/live/lib.sh
qt check --target tests/fixtures/target tests/tutorial/page-faults.qt
expect_code 0
grep -qw register_kprobe /proc/kallsyms || exit 0
qt -q -f json -o "$T/json" tests/tutorial/page-faults.qt -c "$TRIG/faults"
out=$T/json
n=$(map @faults | awk '$1 == "faults" { print $2 }')
expect_eq "faults ($n)" "$((${n:-0} >= 1009))" 1
