# A client without a server: each of its 17 queries fails, and is a call all the same.
. tests/live/lib.sh
[ -x build/tutorial/mysql ] || skip 'libmariadb-dev is not installed'
qt check tests/tutorial/mysql-latency.qt
expect_code 0
[ "$(id -u)" -eq 0 ] || skip 'checked, not run: needs root'
qt -q -f json -o "$T/json" tests/tutorial/mysql-latency.qt -c build/tutorial/mysql
out=$T/json
expect_code 0
expect_eq queries "$(map @queries | cut -f2)" 17
expect_eq 'nothing left' "$(map @start)" ''
