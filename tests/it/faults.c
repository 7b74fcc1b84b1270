/* Faults of the machine, for a service or a database server that loads this before the system's library (LD_PRELOAD).
 * Files in the folder that FAULTS names say which:
 *
 *   full    while it exists, there is no room for anything written to the club's database; or, on a PostgreSQL server
 *           that loads this, for anything by which a file of a database would grow
 *   clock   the seconds by which the clock is wrong
 *   die     a step and a number: the process is killed at that step, when it reaches it for the so manieth time
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* Reads what the file says; 0 if there is none. */
static int told(const char *name, char *text, size_t size) {
    char path[PATH_MAX];
    int before = errno;
    snprintf(path, sizeof path, "%s/%s", getenv("FAULTS"), name);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? -1 : read(file, text, size - 1);
    if (file >= 0) close(file);
    errno = before;
    if (length < 0) return 0;
    text[length] = 0;
    return 1;
}

/* Whether it is time to die: this is the step, and it was reached as often as the file says. */
static int dies_at(const char *step) {
    static int reached;
    char text[64], at[32];
    int number;
    return told("die", text, sizeof text) && sscanf(text, "%31s %d", at, &number) == 2 && !strcmp(at, step) &&
           __atomic_add_fetch(&reached, 1, __ATOMIC_SEQ_CST) == number;
}

static void die(void) { kill(getpid(), SIGKILL); }

/* Whether the file's path has this in it. */
static int is_file(int fd, const char *part) {
    char link[64], path[PATH_MAX];
    int before = errno;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    errno = before;
    if (length < 0) return 0;
    path[length] = 0;
    return strstr(path, part) != NULL;
}

/* Whether there is no room to write so far into the file. */
static int has_no_room(int fd, off64_t end) {
    char text[2];
    struct stat file;
    if (!told("full", text, sizeof text)) return 0;
    int full = is_file(fd, "/club.db") || (is_file(fd, "/base/") && !fstat(fd, &file) && end > file.st_size);
    if (full) errno = ENOSPC;
    return full;
}

/* All that SQLite writes with. */
ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
    if (has_no_room(fd, at + (off64_t)count)) return -1;
    if (is_file(fd, "/club.db-wal") && dies_at("write")) {
        REAL(pwrite64)(fd, bytes, count / 2, at);
        die();
    }
    return REAL(pwrite64)(fd, bytes, count, at);
}

/* What a file of PostgreSQL grows by. */
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) { return pwrite64(fd, bytes, count, at); }

ssize_t pwritev(int fd, const struct iovec *parts, int number, off_t at) {
    off64_t end = at;
    for (int part = 0; part < number; part++) end += (off64_t)parts[part].iov_len;
    return has_no_room(fd, end) ? -1 : REAL(pwritev)(fd, parts, number, at);
}

int posix_fallocate(int fd, off_t at, off_t count) {
    return has_no_room(fd, at + count) ? ENOSPC : REAL(posix_fallocate)(fd, at, count);
}

int fdatasync(int fd) {
    int log = is_file(fd, "/club.db-wal");
    if (log && dies_at("sync")) die();
    int done = REAL(fdatasync)(fd);
    if (log && dies_at("synced")) die();
    return done;
}

/* What the service sends to PostgreSQL. */
ssize_t send(int fd, const void *bytes, size_t count, int flags) {
    int commits = memmem(bytes, count, "COMMIT", strlen("COMMIT")) != NULL;
    if (commits && dies_at("commit")) die();
    ssize_t sent = REAL(send)(fd, bytes, count, flags);
    if (commits && dies_at("committed")) die();
    return sent;
}

/* The seconds by which the clock is wrong. */
static time_t wrong(void) {
    char text[32];
    return told("clock", text, sizeof text) ? atol(text) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int done = REAL(clock_gettime)(clock, now);
    if (clock == CLOCK_REALTIME) now->tv_sec += wrong();
    return done;
}

/* PostgreSQL's clock. */
int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    int done = REAL(gettimeofday)(now, zone);
    now->tv_sec += wrong();
    return done;
}

time_t time(time_t *at) {
    time_t now = REAL(time)(NULL) + wrong();
    if (at) *at = now;
    return now;
}
