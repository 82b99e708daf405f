# A plan from a file: runs where its binaries are the ones that it was made for, is refused where they are not; says what this kernel lacks.
. tests/live/lib.sh
command -v gcc >/dev/null || skip 'no compiler'
printf 'int x; __attribute__((noinline)) void fn(int i) { x += i; }\nint main(void) { for (int i = 0; i < 11; i++) fn(i); return 0; }\n' >"$T/a.c"
gcc -O1 -fno-inline -fno-ipa-cp -Wl,--build-id -o "$T/a" "$T/a.c"
qt build -e "on uprobe:$T/a:fn tag comm count()" -o "$T/a.qtp"
expect_code 0
qt run -q -f json -c "$T/a" "$T/a.qtp"
expect_code 0
expect_eq 'calls' "$(rows - count)" 11
sed -i 's/x += i/x -= 3 * i/; 1i int before(int i) { return 7 * i; }' "$T/a.c"
gcc -O1 -fno-inline -fno-ipa-cp -Wl,--build-id -o "$T/a" "$T/a.c"
qt run -q -c "$T/a" "$T/a.qtp"
expect_code 1
expect_match 'another file' "$(cat "$err")" 'error\[E0605\]: .*/a is another file than the plan was made for.*build id.*qtrace build'
rm "$T/a"
qt run -q -d 1 "$T/a.qtp"
expect_code 1
expect_match 'no file' "$(cat "$err")" "error\[E0605\]: there is no file $T/a"
