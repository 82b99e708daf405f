dir=$(mktemp -d) && trap 'rm -r "$dir"' EXIT
cat >"$dir/two.c" <<'C'
#include <sys/sdt.h>
int main(void)
{
	DTRACE_PROBE1(shop, order, 1);
	DTRACE_PROBE1(bank, order, 2);
	return 0;
}
C
gcc -o "$dir/two" "$dir/two.c"
"$QTRACE" check -e "on usdt:$dir/two:order tag arg0" 2>&1 | sed "s,$dir,DIR,g; s/-e:1:[0-9]*/-e:1:N/; /|/s/\^*$//" >&2
exit "${PIPESTATUS[0]}"
