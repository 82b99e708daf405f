# TLS inside of one program: 31 messages of 101 bytes.
. tests/live/lib.sh
[ -x build/tutorial/ssl ] || skip 'libssl-dev is not installed'
qt check tests/tutorial/ssl-read.qt
expect_code 0
[ "$(id -u)" -eq 0 ] || skip 'checked, not run: needs root'
qt -q -f json -o "$T/json" tests/tutorial/ssl-read.qt -c build/tutorial/ssl
out=$T/json
expect_code 0
map @bytes | expect_rows bytes $'ssl\t3131'
map @reads | expect_rows reads $'ssl\t31'
