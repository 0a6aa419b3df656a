#include <errno.h>
#include <llvm-c/BitReader.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "scan/llvm/lift.h"

/* Errors come back as a null module; the words for them are for developers of LLVM. */
static void ignore(LLVMDiagnosticInfoRef info, void *arg)
{
}

static unsigned attribute(const char *name)
{
	return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static void init(struct dh_lift *l, struct dh_scan_program *p, LLVMContextRef context,
	LLVMModuleRef module, const char *root)
{
	*l = (struct dh_lift){
		.context = context,
		.module = module,
		.layout = LLVMGetModuleDataLayout(module),
		.program = p,
		.attr_sret = attribute("sret"),
		.attr_byval = attribute("byval"),
		.attr_noreturn = attribute("noreturn"),
		.asks = dh_lift_has_questions(module),
	};
	dh_di_init(&l->di, context, root);
	dh_di_add_retained(&l->di, module);
}

static void release(struct dh_lift *l)
{
	dh_di_release(&l->di);
	dh_map_release(&l->symbols);
	dh_map_release(&l->global_types);
	dh_map_release(&l->scope_files);
	dh_map_release(&l->asm_texts);
	dh_map_release(&l->learnt);
	dh_map_release(&l->index);
	dh_map_release(&l->blocks);
	free(l->insts);
}

/* Function objects, lambdas among them, come first: what their members are called is known there,
 * and nowhere where one is made. */
static bool is_function_object(LLVMValueRef f)
{
	size_t n = 0;
	const char *name = LLVMGetValueName2(f, &n);

	return strncmp(name, "_Z", 2) == 0 && strstr(name, "clE");
}

static void lift_functions(struct dh_lift *l, bool objects)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f)) {
		if (!LLVMIsDeclaration(f) && is_function_object(f) == objects)
			dh_lift_function(l, f);
	}
}

void dh_lift_module(struct dh_scan_program *p, LLVMModuleRef module, const char *main_file,
	const char *root, uint64_t lines)
{
	struct dh_lift l;

#if DH_LLVM_VERSION == 19 || DH_LLVM_VERSION == 20
	LLVMSetIsNewDbgInfoFormat(module, false);
#endif
	init(&l, p, LLVMGetModuleContext(module), module, root);
	l.unit = dh_scan_unit_add(p, main_file, lines);
	l.main_file = main_file;
	dh_lift_globals(&l);
	lift_functions(&l, true);
	lift_functions(&l, false);
	release(&l);
}

int dh_lift_bitcode(struct dh_scan_program *p, const void *bitcode, size_t size,
	const char *main_file, const char *root, uint64_t lines, struct dh_error *err)
{
	LLVMContextRef context = LLVMContextCreate();
	LLVMMemoryBufferRef buf =
		LLVMCreateMemoryBufferWithMemoryRange(bitcode, size, "unit", false);
	LLVMModuleRef module = NULL;
	int r = 0;

	LLVMContextSetDiagnosticHandler(context, ignore, NULL);
	if (LLVMParseBitcodeInContext2(context, buf, &module)) {
		r = dh_error_set(err, EBADMSG,
			"clang's bitcode cannot be read; is clang of the version of LLVM %d that "
			"deadheat was built with?",
			DH_LLVM_VERSION);
	} else {
		dh_lift_module(p, module, main_file, root, lines);
		LLVMDisposeModule(module);
	}
	LLVMDisposeMemoryBuffer(buf);
	LLVMContextDispose(context);
	return r;
}
