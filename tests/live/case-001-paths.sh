# Any path that exists can be written: in quotes whatever it holds, bare when it holds nothing of the grammar's.
. tests/live/lib.sh
for folder in 'sp ace' 'co:lon' 'com,ma' 'quo"te' 'pl+us' 'ha#sh' 'ünï' "it's"; do
	mkdir "$T/$folder"
	cp "$TRIG/rec" "$T/$folder/rec"
	written=${folder//\"/\\\"}
	TRUTH=$truth qt -q -f json -e "uprobe:\"$T/$written/rec\":rec { @n = count(); }" -c "\"$T/$written/rec\""
	expect_eq "calls under $folder" "$(map @n | cut -f2)" "$(true_value entries)"
	case $folder in *[\ :,\"\']*) continue ;; esac
	TRUTH=$truth qt -q -f json -e "uprobe:$T/$folder/rec:rec { @n = count(); }" -c "'$T/$folder/rec'"
	expect_eq "calls under $folder, bare" "$(map @n | cut -f2)" "$(true_value entries)"
done
qt -e "uprobe:\"$T/wr ong/rec\":rec { @n = count(); }"
expect_code 2
expect_match 'the message' "$(cat "$err")" 'wr ong'
