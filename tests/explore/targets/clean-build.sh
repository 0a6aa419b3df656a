# "make -j clean all": one removes what the other has made.
# fixed: one after the other
# needs: make
# says: rm -f out. removes \S*/out, .*creates it
cat > Makefile <<'END'
all: clean out
clean:
	rm -f out
out: $(DEP)
	sleep 0.15; echo made > out
check:
	test -e out
END
if [ -n "$FIXED" ]; then make -s -j2 DEP=clean all; else make -s -j2 all; fi
make -s check
