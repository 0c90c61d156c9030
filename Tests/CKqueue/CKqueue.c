/*
 * kqueue over epoll, so that the Darwin form of Readiness runs on Linux: each kqueue is an epoll set. Dispatch can watch
 * that, and it forgets closed descriptors, as XNU does. libkqueue is no help here: its descriptor is never readable for
 * epoll, and a number that comes again after a close cannot be added. Checks our logic, not XNU's odd corners.
 */
#define _GNU_SOURCE
#include "CKqueue.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_DESCRIPTORS = 65536, MAX_REPORTS = 256 };

/* What is wanted of one descriptor; it is watched by one kqueue at a time here. */
struct watch {
    int queue;
    ino_t inode; /* tells a new socket from the closed one that had its number */
    uint32_t wanted;
    void *udata;
};

static struct watch watches[MAX_DESCRIPTORS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int kqueue(void) { return epoll_create1(0); }

static int fail(int code) {
    errno = code;
    return -1;
}

/* Tells epoll what is wanted now. */
static int pass_on(int queue, int descriptor, uint32_t before, uint32_t wanted) {
    struct epoll_event event = {.events = wanted, .data.fd = descriptor};
    if (!wanted) return epoll_ctl(queue, EPOLL_CTL_DEL, descriptor, &event);
    int first = before ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, other = before ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
    int result = epoll_ctl(queue, first, descriptor, &event);
    if (result && (errno == ENOENT || errno == EEXIST)) result = epoll_ctl(queue, other, descriptor, &event);
    return result;
}

static int change(int queue, const struct kevent *request) {
    int descriptor = (int)request->ident;
    struct stat status;
    if (descriptor < 0 || descriptor >= MAX_DESCRIPTORS || fstat(descriptor, &status)) return fail(EBADF);
    struct watch *watch = &watches[descriptor];
    if (watch->queue != queue || watch->inode != status.st_ino) {
        *watch = (struct watch){.queue = queue, .inode = status.st_ino};
    }
    uint32_t bit = request->filter == EVFILT_READ ? EPOLLIN : EPOLLOUT, before = watch->wanted;
    if (request->flags & EV_DELETE && !(before & bit)) return fail(ENOENT);
    watch->wanted = request->flags & EV_ADD ? before | bit : before & ~bit;
    watch->udata = request->udata;
    return pass_on(queue, descriptor, before, watch->wanted);
}

int kevent(
    int queue, const struct kevent *changes, int change_count, struct kevent *reports, int report_count,
    const struct timespec *patience) {
    int result = 0;
    pthread_mutex_lock(&lock);
    for (int index = 0; index < change_count && !result; index++) result = change(queue, &changes[index]);
    pthread_mutex_unlock(&lock);
    /* One event of epoll may become two reports. */
    int room = report_count / 2 < MAX_REPORTS ? report_count / 2 : MAX_REPORTS;
    if (result || room == 0) return result;
    struct epoll_event found[MAX_REPORTS];
    int time = patience ? (int)(patience->tv_sec * 1000 + patience->tv_nsec / 1000000) : -1;
    int count = epoll_wait(queue, found, room, time);
    pthread_mutex_lock(&lock);
    for (int index = 0; index < count; index++) {
        int descriptor = found[index].data.fd;
        struct watch *watch = &watches[descriptor];
        uint32_t ended = found[index].events & (EPOLLHUP | EPOLLERR);
        for (int side = 0; side < 2; side++) {
            uint32_t bit = side ? EPOLLOUT : EPOLLIN;
            if (!(watch->wanted & bit) || !(found[index].events & bit || ended)) continue;
            reports[result++] = (struct kevent){
                .ident = (uintptr_t)descriptor, .filter = side ? EVFILT_WRITE : EVFILT_READ,
                .flags = ended ? EV_EOF : 0, .udata = watch->udata};
        }
    }
    pthread_mutex_unlock(&lock);
    return count < 0 ? -1 : result;
}
