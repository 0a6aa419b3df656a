# A page is made anew from its parts; when these are not there yet, it is emptied and made later.
# fixed: waits for the parts, and leaves the page alone until then
# during: [ ! -e page ] || [ -s page ] || { echo "the page is empty"; exit 1; }
# says: (?s)creates \S*/parts, .* looks at it.*the check during the run ended with status 1: the page is empty
echo old > page.new
mv page.new page
(sleep 0.1; echo new > parts; sleep 0.4) &
[ -z "$FIXED" ] || until [ -s parts ]; do sleep 0.1; done
(
	sleep 0.2
	[ -e parts ] && exit
	: > page
	sleep 0.5
)
cp parts page.new
mv page.new page
wait
