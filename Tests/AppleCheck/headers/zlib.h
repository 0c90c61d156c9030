/* Hand-written: what Shared/Deflate uses of zlib. https://zlib.net/manual.html */
#pragma once
typedef unsigned char Bytef;
typedef unsigned int uInt;
typedef unsigned long uLong;
typedef void *voidpf;
typedef voidpf (*alloc_func)(voidpf, uInt, uInt);
typedef void (*free_func)(voidpf, voidpf);
struct internal_state;
typedef struct z_stream_s {
    Bytef *next_in; uInt avail_in; uLong total_in;
    Bytef *next_out; uInt avail_out; uLong total_out;
    char *msg; struct internal_state *state;
    alloc_func zalloc; free_func zfree; voidpf opaque;
    int data_type; uLong adler, reserved;
} z_stream;
typedef z_stream *z_streamp;
#define ZLIB_VERSION "1.2.12"
#define Z_NO_FLUSH 0
#define Z_SYNC_FLUSH 2
#define Z_FINISH 4
#define Z_OK 0
#define Z_STREAM_END 1
#define Z_NEED_DICT 2
#define Z_STREAM_ERROR (-2)
#define Z_DATA_ERROR (-3)
#define Z_MEM_ERROR (-4)
#define Z_BUF_ERROR (-5)
#define Z_DEFAULT_COMPRESSION (-1)
#define Z_DEFAULT_STRATEGY 0
#define Z_DEFLATED 8
const char *zlibVersion(void);
int deflate(z_streamp, int); int deflateEnd(z_streamp); int deflateReset(z_streamp);
int deflateInit2_(z_streamp, int, int, int, int, int, const char *, int);
int inflate(z_streamp, int); int inflateEnd(z_streamp); int inflateReset(z_streamp);
/* Not in the manual, but in zlib.h under "undocumented functions". */
int inflateResetKeep(z_streamp);
int inflateInit2_(z_streamp, int, const char *, int);
