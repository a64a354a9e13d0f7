# The components of dlvm/, lowest first, and what each may include: cmake/check-layers.cmake holds every #include to
# it. The files in dlvm/ itself are the last one.
set(components support ir analysis text verify interpret io call gradcheck differentiate transform pipeline)
set(may_support)
set(may_ir support)
set(may_analysis ir)
set(may_text support ir analysis)
set(may_verify support ir analysis text)
# The oracle: it runs no pass and reads no file. It frees values by their liveness.
set(may_interpret support ir analysis)
set(may_io support ir)
set(may_call support ir interpret io)
set(may_gradcheck support ir analysis interpret call)
set(may_differentiate support ir analysis)
# Constants are folded by the interpreter's rules.
set(may_transform support ir analysis interpret)
set(may_pipeline support ir analysis text verify differentiate transform)
