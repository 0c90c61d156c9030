/* Hand-written: the declarations of Darwin's C library that this repository uses. Types matter, values do not. */
#pragma once
#include <stddef.h>
#include <stdint.h>
typedef long ssize_t; typedef int64_t off_t; typedef int32_t pid_t; typedef uint32_t uid_t, gid_t;
typedef uint16_t mode_t, nlink_t; typedef int32_t dev_t; typedef uint64_t ino_t; typedef int64_t blkcnt_t; typedef int32_t blksize_t;
typedef long time_t; typedef int32_t suseconds_t; typedef unsigned int useconds_t;
typedef uint32_t socklen_t; typedef uint8_t sa_family_t; typedef uint16_t in_port_t; typedef uint32_t in_addr_t;
typedef uint64_t rlim_t; typedef unsigned long tcflag_t, speed_t; typedef unsigned char cc_t;
struct timespec { time_t tv_sec; long tv_nsec; };
struct timeval { time_t tv_sec; suseconds_t tv_usec; };
/* errno */
int *__error(void);
#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EBADF 9
#define ENOMEM 12
#define EACCES 13
#define EEXIST 17
#define ENOTDIR 20
#define EISDIR 21
#define EINVAL 22
#define ENFILE 23
#define EMFILE 24
#define EPIPE 32
#define EIO 5
#define EAGAIN 35
#define EWOULDBLOCK EAGAIN
#define EINPROGRESS 36
#define ENOTSOCK 38
#define EPROTONOSUPPORT 43
#define EOPNOTSUPP 102
#define EAFNOSUPPORT 47
#define EADDRINUSE 48
#define EADDRNOTAVAIL 49
#define ENETUNREACH 51
#define ECONNABORTED 53
#define ECONNRESET 54
#define ENOBUFS 55
#define ENOTCONN 57
#define ETIMEDOUT 60
#define ECONNREFUSED 61
#define ELOOP 62
#define EHOSTUNREACH 65
#define ENOTEMPTY 66
/* pthread */
struct _opaque_pthread_mutex_t { long __sig; char __opaque[56]; };
typedef struct _opaque_pthread_mutex_t pthread_mutex_t;
struct _opaque_pthread_mutexattr_t { long __sig; char __opaque[8]; };
typedef struct _opaque_pthread_mutexattr_t pthread_mutexattr_t;
int pthread_mutex_init(pthread_mutex_t * restrict, const pthread_mutexattr_t * _Nullable restrict);
int pthread_mutex_destroy(pthread_mutex_t *); int pthread_mutex_lock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *);
/* sockets */
#define AF_UNSPEC 0
#define AF_UNIX 1
#define AF_INET 2
#define AF_INET6 30
#define SOCK_STREAM 1
#define SOL_SOCKET 0xffff
#define SO_REUSEADDR 0x0004
#define SO_LINGER 0x0080
#define SO_NOSIGPIPE 0x1022
#define SO_NWRITE 0x1024
#define _SC_PAGESIZE 29
#define _SC_PHYS_PAGES 200
long sysconf(int);
#define SO_ERROR 0x1007
#define SO_RCVBUF 0x1002
#define SO_SNDBUF 0x1001
#define IPPROTO_TCP 6
#define IPPROTO_IPV6 41
#define IPV6_V6ONLY 27
#define TCP_NODELAY 0x01
#define TCP_NOTSENT_LOWAT 0x201
#define SHUT_RD 0
#define SHUT_WR 1
#define SHUT_RDWR 2
struct sockaddr { uint8_t sa_len; sa_family_t sa_family; char sa_data[14]; };
struct sockaddr_storage { uint8_t ss_len; sa_family_t ss_family; char __ss_pad1[6]; int64_t __ss_align; char __ss_pad2[112]; };
struct in_addr { in_addr_t s_addr; };
struct sockaddr_in { uint8_t sin_len; sa_family_t sin_family; in_port_t sin_port; struct in_addr sin_addr; char sin_zero[8]; };
typedef struct in6_addr { union { uint8_t __u6_addr8[16]; uint16_t __u6_addr16[8]; uint32_t __u6_addr32[4]; } __u6_addr; } in6_addr_t;
struct sockaddr_in6 { uint8_t sin6_len; sa_family_t sin6_family; in_port_t sin6_port; uint32_t sin6_flowinfo; struct in6_addr sin6_addr; uint32_t sin6_scope_id; };
struct linger { int l_onoff; int l_linger; };
struct addrinfo { int ai_flags, ai_family, ai_socktype, ai_protocol; socklen_t ai_addrlen; char *ai_canonname; struct sockaddr *ai_addr; struct addrinfo *ai_next; };
#define EAI_NONAME 8
int getaddrinfo(const char * restrict, const char * restrict, const struct addrinfo * restrict, struct addrinfo ** restrict);
void freeaddrinfo(struct addrinfo *); const char *gai_strerror(int);
int socket(int, int, int); int bind(int, const struct sockaddr *, socklen_t); int listen(int, int);
int accept(int, struct sockaddr * restrict, socklen_t * restrict); int connect(int, const struct sockaddr *, socklen_t);
ssize_t recv(int, void *, size_t, int); ssize_t send(int, const void *, size_t, int);
int getsockopt(int, int, int, void * restrict, socklen_t * restrict); int setsockopt(int, int, int, const void *, socklen_t);
int getsockname(int, struct sockaddr * restrict, socklen_t * restrict); int getpeername(int, struct sockaddr * restrict, socklen_t * restrict);
int shutdown(int, int); int inet_pton(int, const char *, void *); const char *inet_ntop(int, const void *, char *, socklen_t);
int socketpair(int, int, int, int *);
/* files */
#define W_OK 2
#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_NONBLOCK 4
#define O_APPEND 8
#define O_CREAT 0x200
#define O_TRUNC 0x400
#define O_EXCL 0x800
#define O_NOFOLLOW 0x100
#define O_EVTONLY 0x8000
#define O_CLOEXEC 0x1000000
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_DUPFD_CLOEXEC 67
#define F_SETFL 4
#define FD_CLOEXEC 1
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define R_OK 4
#define PATH_MAX 1024
#define OPEN_MAX 10240
ssize_t read(int, void *, size_t); ssize_t write(int, const void *, size_t); int close(int); int fsync(int); int unlink(const char *);
int rename(const char *, const char *); int mkdir(const char *, mode_t); int rmdir(const char *); int access(const char *, int); int chmod(const char *, mode_t); int fchmod(int, mode_t);
int pipe(int *); int dup(int); int dup2(int, int); int mkfifo(const char *, mode_t); int symlink(const char *, const char *);
ssize_t readlink(const char * restrict, char * restrict, size_t); char *realpath(const char * restrict, char * restrict); void free(void *);
int open(const char *, int, ...); int fcntl(int, int, ...); int ioctl(int, unsigned long, ...);
struct stat { dev_t st_dev; mode_t st_mode; nlink_t st_nlink; ino_t st_ino; uid_t st_uid; gid_t st_gid; dev_t st_rdev; struct timespec st_atimespec, st_mtimespec, st_ctimespec, st_birthtimespec; off_t st_size; blkcnt_t st_blocks; blksize_t st_blksize; uint32_t st_flags, st_gen; int32_t st_lspare; int64_t st_qspare[2]; };
int stat(const char * restrict, struct stat * restrict); int lstat(const char * restrict, struct stat * restrict); int fstat(int, struct stat *);
typedef struct { int __dd_fd; } DIR;
struct dirent { uint64_t d_ino, d_seekoff; uint16_t d_reclen, d_namlen; uint8_t d_type; char d_name[1024]; };
DIR *opendir(const char *); struct dirent *readdir(DIR *); int closedir(DIR *);
/* process */
pid_t getpid(void); pid_t getppid(void); uid_t geteuid(void); uid_t getuid(void); int kill(pid_t, int); int raise(int); void exit(int) __attribute__((noreturn)); void _exit(int) __attribute__((noreturn)); int atexit(void (*)(void));
char *getenv(const char *); int setenv(const char *, const char *, int); int unsetenv(const char *); char *strerror(int); size_t strlen(const char *); size_t strcspn(const char *, const char *); char *strstr(const char *, const char *); int isatty(int);
int usleep(useconds_t); void *memcpy(void *, const void *, size_t); void *memchr(const void *, int, size_t); int memcmp(const void *, const void *, size_t); void *memmove(void *, const void *, size_t);
typedef void (*sig_t)(int); sig_t signal(int, sig_t);
struct __siginfo;
union __sigaction_u { void (*__sa_handler)(int); void (*__sa_sigaction)(int, struct __siginfo *, void *); };
struct sigaction { union __sigaction_u __sigaction_u; unsigned int sa_mask; int sa_flags; };
int sigaction(int, const struct sigaction *, struct sigaction *);
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGFPE 8
#define SIGKILL 9
#define SIGBUS 10
#define SIGSEGV 11
#define SIGPIPE 13
#define SIGTERM 15
#define SIGTSTP 18
#define SIGCONT 19
#define SIGWINCH 28
#define RLIMIT_NOFILE 8
struct rlimit { rlim_t rlim_cur, rlim_max; }; int getrlimit(int, struct rlimit *); int setrlimit(int, const struct rlimit *);
struct rusage { struct timeval ru_utime, ru_stime; long ru_maxrss; }; int getrusage(int, struct rusage *);
#define RUSAGE_SELF 0
struct utsname { char sysname[256], nodename[256], release[256], version[256], machine[256]; }; int uname(struct utsname *);
typedef enum { _CLOCK_REALTIME = 0, _CLOCK_MONOTONIC = 6, _CLOCK_UPTIME_RAW = 8, _CLOCK_PROCESS_CPUTIME_ID = 12, _CLOCK_THREAD_CPUTIME_ID = 16 } clockid_t;
#define CLOCK_REALTIME _CLOCK_REALTIME
#define CLOCK_MONOTONIC _CLOCK_MONOTONIC
#define CLOCK_PROCESS_CPUTIME_ID _CLOCK_PROCESS_CPUTIME_ID
int clock_gettime(clockid_t, struct timespec *);
/* terminal */
struct winsize { unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel; };
struct termios { tcflag_t c_iflag, c_oflag, c_cflag, c_lflag; cc_t c_cc[20]; speed_t c_ispeed, c_ospeed; };
#define TCSANOW 0
#define TCSADRAIN 1
int tcgetattr(int, struct termios *); int tcsetattr(int, int, const struct termios *); void cfmakeraw(struct termios *);
/* kqueue: <sys/event.h> */
struct kevent { uintptr_t ident; int16_t filter; uint16_t flags; uint32_t fflags; intptr_t data; void *udata; };
int kqueue(void); int kevent(int, const struct kevent *, int, struct kevent *, int, const struct timespec *);
#define EVFILT_READ (-1)
#define EVFILT_WRITE (-2)
#define EV_ADD 0x0001
#define EV_DELETE 0x0002
#define EV_EOF 0x8000
#define EV_ERROR 0x4000
/* Mach */
typedef int kern_return_t; typedef unsigned int natural_t, mach_msg_type_number_t, mach_port_t, task_flavor_t; typedef int integer_t, policy_t; typedef integer_t *task_info_t; typedef mach_port_t task_name_t;
typedef uint64_t mach_vm_size_t; struct time_value { integer_t seconds, microseconds; }; typedef struct time_value time_value_t;
struct mach_task_basic_info { mach_vm_size_t virtual_size, resident_size, resident_size_max; time_value_t user_time, system_time; policy_t policy; integer_t suspend_count; };
#define MACH_TASK_BASIC_INFO 20
#define KERN_SUCCESS 0
#ifdef OLD_SDK
extern mach_port_t mach_task_self_;
#else
extern mach_port_t mach_task_self_ __attribute__((swift_attr("nonisolated(unsafe)")));  /* since the SDK of macOS 15.4 */
#endif
kern_return_t task_info(task_name_t, task_flavor_t, task_info_t, mach_msg_type_number_t *);
typedef unsigned char __darwin_uuid_t[16]; typedef __darwin_uuid_t uuid_t;
#define POLLOUT 0x0004
struct pollfd { int fd; short events; short revents; }; typedef unsigned int nfds_t; int poll(struct pollfd *, nfds_t, int);
/* stdio, stdlib, time: what tests use */
typedef struct __sFILE { short _file; } FILE;
FILE *fopen(const char * restrict, const char * restrict); int fclose(FILE *); FILE *popen(const char *, const char *); int pclose(FILE *); int fileno(FILE *); int fputs(const char * restrict, FILE * restrict); int fflush(FILE * _Nullable);
char *mkdtemp(char *); typedef unsigned long clock_t; clock_t clock(void);
#define CLOCKS_PER_SEC 1000000
#define PROT_READ 1
#define PROT_WRITE 2
#define MAP_SHARED 1
void *mmap(void *, size_t, int, int, int, off_t); int munmap(void *, size_t); int ftruncate(int, off_t);
size_t fwrite(const void * restrict, size_t, size_t, FILE * restrict); unsigned int alarm(unsigned int);
