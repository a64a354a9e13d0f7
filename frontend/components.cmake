# The components of frontend/, lowest first, and what each may include beside dlvm/: cmake/check-layers.cmake holds
# every #include to it. The files in frontend/ itself are the last one, which calls parse, check and lower in turn.
set(components support python ast parse format check lower derivatives examples frontend)
set(may_support)
set(may_ast)
set(may_python support)
set(may_parse support python ast)
set(may_format support parse)
set(may_check support python ast)
# Gradients are declared; the one component that asks differentiation for them puts its errors in the words of the
# program.
set(may_lower ast check)
set(never_check dlvm/differentiate)
set(never_lower dlvm/differentiate)
set(may_derivatives check)
set(may_examples)
set(may_frontend support ast parse check lower derivatives examples)
