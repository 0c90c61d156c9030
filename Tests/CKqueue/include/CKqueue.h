/* kqueue(2) for Linux, as far as SocketTransport uses it: level-triggered EVFILT_READ and EVFILT_WRITE. For tests. */
#ifndef POLYMOCK_CKQUEUE_H
#define POLYMOCK_CKQUEUE_H

#include <stdint.h>
#include <time.h>

#define EVFILT_READ (-1)
#define EVFILT_WRITE (-2)
#define EV_ADD 0x0001
#define EV_DELETE 0x0002
#define EV_EOF 0x8000

struct kevent {
    uintptr_t ident;
    int16_t filter;
    uint16_t flags;
    uint32_t fflags;
    intptr_t data;
    void *udata;
};

int kqueue(void);
int kevent(
    int queue, const struct kevent *changes, int change_count, struct kevent *reports, int report_count,
    const struct timespec *patience);

#endif
