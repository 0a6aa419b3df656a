/* A library that knows nothing of threads has no races. */
// norun
static int used;
static int table[8];

int push(int v)
{
	if (used == 8) // NORACE
		return -1;
	table[used++] = v; // NORACE
	return 0;
}

int pop(void)
{
	return used ? table[--used] : 0; // NORACE
}
