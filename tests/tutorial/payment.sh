# A pair of static probes with interleaved ids.
. tests/live/lib.sh
[ "$(id -u)" -eq 0 ] || skip 'needs root'
qtc pay "$top/tests/tutorial/payment.qt"
expect_code 0
map @done | expect_rows 'payments by result' $'0\t11\n1\t5'
expect_eq 'nothing left' "$(map @start)" ''
