# The kernel's verifier takes programs that strain it: long texts, many texts, many metrics, many branches, frames.
. tests/live/lib.sh
for f in tests/verifier/*.qt; do
	qt run --dry-run "$f"
	expect_eq "$f" "$code" 0
	[ "$code" -eq 0 ] || sed "s|^|$f: |" "$err"
done
