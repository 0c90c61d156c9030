/* The Linux calls that Swift's own Glibc and Musl modules leave out. Empty on other systems. */
#ifndef POLYMOCK_CEPOLL_H
#define POLYMOCK_CEPOLL_H

#ifdef __linux__
#include <sys/epoll.h>
#include <sys/socket.h>

/* Declared here because <sys/socket.h> shows it only under _GNU_SOURCE. */
extern int accept4(int, struct sockaddr *, socklen_t *, int);
#endif

#endif
