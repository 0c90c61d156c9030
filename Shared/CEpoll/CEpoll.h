/* The Linux calls that Swift's own Glibc and Musl modules leave out. Empty on other systems. */
#ifndef POLYMOCK_CEPOLL_H
#define POLYMOCK_CEPOLL_H

#ifdef __linux__
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <poll.h>
#include <signal.h>
#include <time.h>

/* Declared here because their headers show them only under _GNU_SOURCE. */
extern int accept4(int, struct sockaddr *, socklen_t *, int);
extern int ppoll(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);

/* Bytes in the send queue of a socket that the peer has not acknowledged (SIOCOUTQ, tcp(7)); ioctl is variadic. */
static inline int polymock_unacknowledged(int descriptor) {
    int count = 0;
    return ioctl(descriptor, TIOCOUTQ, &count) == 0 ? count : 0;
}
#endif

/* mallopt(3), malloc_trim(3); musl has no such things. */
#ifdef __GLIBC__
#include <malloc.h>

/* Bytes that are free in all heaps. mallinfo2 is there since glibc 2.33; what came before counts in int. */
static inline long polymock_free_bytes(void) {
#if __GLIBC_PREREQ(2, 33)
    return (long)mallinfo2().fordblks;
#else
    return (long)(unsigned)mallinfo().fordblks;
#endif
}
#endif

#endif
