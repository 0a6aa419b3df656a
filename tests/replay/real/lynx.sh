#!/bin/sh
# lynx on a terminal: a page, links, a search, quitting; and a page dumped.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/needs"
case $1 in
setup)
	needs lynx
	{
		echo '<html><title>Index</title><body><h1>Links</h1><ul>'
		for i in $(seq 60); do
			echo "<li><a href=p$i.html>page number $i</a>"
			echo "<html><body><p>This is page $i. <a href=index.html>Back</a>" >"p$i.html"
		done
		echo '</ul></body></html>'
	} >index.html
	;;
main)
	/usr/bin/python3 "$here/drive_pty.py" '500=\x1b[B\x1b[B' '200=\x1b[C' '300=\x1b[D' \
		'200=/number 44\r' '200= ' '200=q' '200=y' -- lynx -nopause index.html
	lynx -dump p7.html
	;;
check) grep -q 'This is page 7' stdout && grep -q 'page number' stdout ;;
esac
