# The objects go into a directory that a rule makes, on which they do not depend (abr2gbr).
# fixed: an order-only prerequisite
# needs: make
# says: (?s)mkdir objs. makes the directory .*prerequisite
# mend: order-only prerequisite
[ -z "$FIXED" ] || dep='| objs'
cat > Makefile <<END
all: objs objs/a.o
objs:
	mkdir objs
objs/a.o: $dep
	sleep 0.15; echo object > objs/a.o
END
make -s -j2
