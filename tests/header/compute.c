// Compute functions of the networks in networks.cpp, by the contract of runtime/abi.h.
#include <stdint.h>

struct context {
  int64_t site, value, position;
  const void* execution;
};

void init_W1(void* const* b, const int64_t* dims, struct context* c) {
  uint64_t state = *(const uint64_t*)b[0];
  float* w = b[1];
  for (int i = 0; i < 784 * 256; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    w[i] = ((float)(state >> 40) / 16777216.0f - 0.5f) * 0.15f;
  }
}
void init_b1(void* const* b, const int64_t* dims, struct context* c) { __builtin_memset(b[0], 0, 256 * 4); }
void init_W2(void* const* b, const int64_t* dims, struct context* c) {
  uint64_t state = *(const uint64_t*)b[0] + 1;
  float* w = b[1];
  for (int i = 0; i < 256 * 10; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    w[i] = ((float)(state >> 40) / 16777216.0f - 0.5f) * 0.3f;
  }
}
void init_b2(void* const* b, const int64_t* dims, struct context* c) { __builtin_memset(b[0], 0, 40); }

/// h = max(x W1 + b1, 0), y = h W2 + b2, without softmax.
static void layers(int64_t n, const float* x, const float* W1, const float* b1, const float* W2,
                   const float* b2, float* h, float* y) {
  for (int64_t i = 0; i < n; ++i) {
    for (int j = 0; j < 256; ++j) h[i * 256 + j] = b1[j];
    for (int k = 0; k < 784; ++k)
      for (int j = 0; j < 256; ++j) h[i * 256 + j] += x[i * 784 + k] * W1[k * 256 + j];
    for (int j = 0; j < 256; ++j) h[i * 256 + j] = h[i * 256 + j] > 0 ? h[i * 256 + j] : 0;
    for (int j = 0; j < 10; ++j) y[i * 10 + j] = b2[j];
    for (int k = 0; k < 256; ++k)
      for (int j = 0; j < 10; ++j) y[i * 10 + j] += h[i * 256 + k] * W2[k * 10 + j];
  }
}

void mlp_forward_compute(void* const* b, const int64_t* dims, struct context* c) {
  layers(dims[0], b[0], b[1], b[2], b[3], b[4], b[6], b[5]);
}

/// L = mean of (1 - y[label])^2 / 2.
void mlp_gradient_compute(void* const* b, const int64_t* dims, struct context* c) {
  const int64_t n = dims[0];
  const float *x = b[0], *W2 = b[4];
  const int32_t* label = b[1];
  float *dW1 = b[6], *db1 = b[7], *dW2 = b[8], *db2 = b[9], *L = b[10], *y = b[11], *h = b[12];
  layers(n, x, b[2], b[3], W2, b[5], h, y);
  __builtin_memset(dW1, 0, 784 * 256 * 4);
  __builtin_memset(db1, 0, 256 * 4);
  __builtin_memset(dW2, 0, 2560 * 4);
  __builtin_memset(db2, 0, 40);
  *L = 0;
  for (int64_t i = 0; i < n; ++i) {
    const int32_t t = label[i];
    if (t < 0 || t > 9) {
      if (c->site == 0) c->site = 1, c->value = t, c->position = i;
      return;
    }
    const float e = y[i * 10 + t] - 1, g = e / (float)n;
    *L += e * e / 2 / (float)n;
    db2[t] += g;
    for (int k = 0; k < 256; ++k) {
      dW2[k * 10 + t] += g * h[i * 256 + k];
      if (h[i * 256 + k] <= 0) continue;
      const float gh = g * W2[k * 10 + t];
      db1[k] += gh;
      for (int j = 0; j < 784; ++j) dW1[j * 256 + k] += gh * x[i * 784 + j];
    }
  }
}

void init_w(void* const* b, const int64_t* dims, struct context* c) {
  for (int i = 0; i < 3; ++i) ((__bf16*)b[0])[i] = (__bf16)(float)(i + 1);
}
void init_scale(void* const* b, const int64_t* dims, struct context* c) { *(double*)b[0] = 2.5; }
void init_class(void* const* b, const int64_t* dims, struct context* c) { __builtin_memset(b[0], 0, 4); }

/// y = (on ? x * w + bias : x) where mask, else flat; rows = seed + 0 …; total = sum of y.
void mixed_forward_compute(void* const* b, const int64_t* dims, struct context* c) {
  const _Float16 *x = b[0], *bias = b[1], *flat = b[6];
  const _Bool *on = b[2], *mask = b[5];
  const __bf16* w = b[4];
  const int64_t n = *(const int64_t*)b[7];
  const uint64_t seed = *(const uint64_t*)b[8];
  _Float16* y = b[9];
  int32_t* rows = b[10];
  float total = 0;
  for (int64_t i = 0; i < (2 * dims[0] + 1) * 3; ++i) {
    const float value = *on ? (float)x[i] * (float)w[i % 3] + (float)*bias : (float)x[i];
    y[i] = mask[i % 3] ? (_Float16)(double)value : flat[i % 3];
    total += (float)y[i];
  }
  for (int64_t i = 0; i < n; ++i) rows[i] = (int32_t)(seed + (uint64_t)i);
  *(__bf16*)b[11] = (__bf16)total;
}

void mixed_gradient_compute(void* const* b, const int64_t* dims, struct context* c) {
  const float *x = b[0], *dy = b[1];
  const double scale = *(const double*)b[2];
  double* dscale = b[4];
  float* y = b[6];
  __builtin_memset(b[3], 0, 6);
  __builtin_memset(b[5], 0, 4);
  *dscale = 0;
  for (int64_t i = 0; i < dims[0]; ++i) {
    y[i] = (float)(scale * x[i]);
    *dscale += (double)dy[i] * x[i];
  }
}

void mixed_new_compute(void* const* b, const int64_t* dims, struct context* c) {
  const double* x = b[0];
  double *dx = b[1], *L = b[2];
  *L = 0;
  for (int i = 0; i < 4; ++i) dx[i] = 2 * x[i], *L += __builtin_fmod(x[i], 3.0) + __builtin_floor(x[i]);
}

void init_average(void* const* b, const int64_t* dims, struct context* c) {
  ((float*)b[0])[0] = 1, ((float*)b[0])[1] = 2;
}
void init_copy(void* const* b, const int64_t* dims, struct context* c) { *(int64_t*)b[0] = 7; }

/// before = average; then average = (average + x) / 2 and copy = copy + 1.
void mixed_count_compute(void* const* b, const int64_t* dims, struct context* c) {
  const float *x = b[0], *average = b[1];
  float *before = b[3], *next = b[4];
  for (int i = 0; i < 2; ++i) {
    next[i] = (average[i] + x[i]) / 2;
    before[i] = average[i];
  }
  *(int64_t*)b[5] = *(const int64_t*)b[2] + 1;
}

void mixed_counted_compute(void* const* b, const int64_t* dims, struct context* c) {
  *(int64_t*)b[1] = *(const int64_t*)b[0];
}
