# Readable C++ names: `main` is main alone, a bare name the C function, with parameters one overload, a pattern all that it matches.
. tests/live/lib.sh
calls() {
	qtc cxx -e "uprobe:./cxx:\"$1\" { @n = count(); }"
	expect_eq "$1" "$(map @n | cut -f2)" "$2"
}
calls main 1
calls fun 1
calls 'fun(int)' 2
calls 'ns::S::go(int)' 3
calls 'ns::S::go(char const*)' 2
calls 'ns::S::go' 5
calls '*go*' 5
qtc cxx -e 'uprobe:./cxx:*go* { @n = count(); }'
expect_eq 'a bare pattern' "$(map @n | cut -f2)" 5
