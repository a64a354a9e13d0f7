#include "runtime/call/call.h"
#include "runtime/support/extent.h"

namespace runtime {
namespace {

/// `2 * N + 1`, with the offset's value.
void write_linear(Text& text, const Dimension& dimension, int64_t offset) {
  if (dimension.scale == -1) text << "-";
  if (dimension.scale != 1 && dimension.scale != -1) text << dimension.scale << " * ";
  text << dimension.name;
  if (offset > 0) text << " + " << offset;
  if (offset < 0 && offset != INT64_MIN) text << " - " << -offset;
}

/// Solves extent = scale * dimension + offset.
int32_t bind(Call& call, int64_t index) {
  const Dimension& dimension = call.entry.dimensions[index];
  int64_t& value = call.dims[index];
  if (dimension.field < 0) {
    value = call.member<int64_t>(dimension.argument_offset);
    if (value >= 0) return TEL_OK;
    Failure failure = call.fail(TEL_EXTENT);
    failure.text() << "the dimension " << dimension.name << " is " << value << ", but must be at least 0";
    return failure;
  }
  const Field& field = call.entry.fields[dimension.field];
  const int64_t extent = extent_given(call, field, dimension.axis);
  int64_t offset = 0, rest = 0;
  const bool fits = evaluate(dimension.offset, call.dims, offset) &&
                    !__builtin_sub_overflow(extent, offset, &rest) &&
                    (dimension.scale != -1 || rest != INT64_MIN) && rest % dimension.scale == 0;
  if (fits) value = rest / dimension.scale;
  if (fits && value >= 0 && extent >= 0) return TEL_OK;
  Failure failure = call.fail(TEL_EXTENT);
  failure.text() << "axis " << int64_t{dimension.axis} << " of '" << field.tensor.name << "' is " << extent;
  if (extent < 0) {
    failure.text() << ", but an extent is at least 0";
  } else {
    failure.text() << ", expected ";
    write_linear(failure.text(), dimension, offset);
    failure.text() << " with a whole number " << dimension.name << " of at least 0";
    list_dimensions(failure.text(), " and ", call, dimension.offset);
  }
  return failure;
}

}  // namespace

int64_t extent_given(const Call& call, const Field& field, int64_t axis) {
  return (&call.member<int64_t>(field.extents_offset))[axis];
}

void list_dimensions(Text& text, const char* before, const Call& call, const Extent& a, const Extent& b) {
  for (int64_t i = 0; i < call.entry.dimension_count; ++i) {
    if (!mentions(a, i) && !mentions(b, i)) continue;
    const Dimension& dimension = call.entry.dimensions[i];
    text << before << dimension.name << " = " << call.dims[i];
    before = ", ";
    if (dimension.field < 0) continue;
    text << " (axis " << int64_t{dimension.axis} << " of '" << call.entry.fields[dimension.field].tensor.name
         << "')";
  }
}

int32_t bind_dimensions(Call& call) {
  for (int64_t i = 0; i < call.entry.dimension_count; ++i)
    if (const int32_t status = bind(call, i)) return status;
  return TEL_OK;
}

}  // namespace runtime
