# The components of codegen/, lowest first, and what each may include beside dlvm/: libraries link by this table, and
# cmake/check-layers.cmake holds every #include to it. The files in codegen/ itself are the component `pipeline`.
set(components
  interface kernel schedule math intrinsics emit object
  target/cpu target/gpu target/nvptx target/emulator header jit pipeline)
set(may_kernel)
set(may_interface)
set(may_schedule kernel)
set(may_math)
set(may_intrinsics)
set(may_emit kernel schedule math)
set(may_object interface)
set(may_target/cpu schedule math emit)
set(may_target/gpu kernel schedule math intrinsics emit object)
set(may_target/nvptx intrinsics object target/gpu)
set(may_target/emulator intrinsics object target/gpu)
set(may_header interface)
set(may_jit interface)
set(may_pipeline interface kernel schedule object target/cpu target/gpu target/nvptx target/emulator)

# The parts of the two large components, lowest first, and what each may include of the others: the level itself, what
# knows no target, then policy. No part for one target includes that for another.
set(parts_kernel ir text verify interpret memory build)
set(part_kernel/ir)
set(part_kernel/text ir)
set(part_kernel/verify ir)
set(part_kernel/interpret ir)
set(part_kernel/memory ir)
set(part_kernel/build ir)
set(parts_schedule ir text verify interpret transform common cpu gpu)
set(part_schedule/ir)
set(part_schedule/text ir)
set(part_schedule/verify ir)
set(part_schedule/interpret ir verify)
set(part_schedule/transform ir)
set(part_schedule/common ir)
set(part_schedule/cpu ir transform common)
set(part_schedule/gpu ir transform common)
