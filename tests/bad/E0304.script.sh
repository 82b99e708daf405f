"$QTRACE" check -e 'on uprobe:/usr/bin/ldd:main tag comm'
