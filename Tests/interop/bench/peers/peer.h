/* What both C peers need: an end at SIGTERM, and a free port. */
#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

static void stop(int number) {
    (void)number;
    _exit(0);
}

/* A port that the system chooses: neither library says which one it got. */
static int free_port(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, size) || getsockname(fd, (struct sockaddr *)&address, &size))
        return 0;
    close(fd);
    return ntohs(address.sin_port);
}
