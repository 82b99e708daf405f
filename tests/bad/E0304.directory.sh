"$QTRACE" --dump=program -e 'on uprobe:/usr/bin:main tag comm'
