/* Makes system calls fail below SQLite, for tests, by LD_PRELOAD. It touches only files whose path
 * ends in SHIM_FILE (such as "sekali.db-wal"). What it is told by the environment:
 *   SHIM_FILE   the end of the path
 *   SHIM_FAIL   "sync" (fsync and fdatasync), "write" (pwrite) or "read" (pread)
 *   SHIM_ERRNO  EIO or ENOSPC
 *   SHIM_FROM   the first call of that kind that fails, from 1
 *   SHIM_TIMES  how many of them fail
 *   SHIM_LOG    a file that gets one byte for each fsync or fdatasync of any file: 's' done, 'x' failed
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static long syncs, writes, reads;

static int is_ours(int fd) {
  const char *end = getenv("SHIM_FILE");
  char link[64], path[4096];
  ssize_t n;
  size_t len;
  if (!end) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  n = readlink(link, path, sizeof path - 1);
  if (n < 0) return 0;
  path[n] = 0;
  len = strlen(end);
  return (size_t)n >= len && strcmp(path + n - len, end) == 0;
}

static int must_fail(const char *kind, long *calls, int fd) {
  const char *fail = getenv("SHIM_FAIL"), *from = getenv("SHIM_FROM"), *times = getenv("SHIM_TIMES");
  const char *name = getenv("SHIM_ERRNO");
  long call, first, count;
  if (!fail || strcmp(fail, kind) != 0 || !is_ours(fd)) return 0;
  call = __sync_add_and_fetch(calls, 1);
  first = from ? atol(from) : 1;
  count = times ? atol(times) : 1;
  if (call < first || call >= first + count) return 0;
  errno = name && strcmp(name, "ENOSPC") == 0 ? ENOSPC : EIO;
  return 1;
}

static void log_sync(char what) {
  const char *log = getenv("SHIM_LOG");
  int fd, saved = errno;
  if (!log) return;
  fd = open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (fd >= 0) {
    if (write(fd, &what, 1) != 1) { /* the test will miss it */ }
    close(fd);
  }
  errno = saved;
}

int fsync(int fd) {
  if (must_fail("sync", &syncs, fd)) { log_sync('x'); return -1; }
  log_sync('s');
  return (int)syscall(SYS_fsync, fd);
}

int fdatasync(int fd) {
  if (must_fail("sync", &syncs, fd)) { log_sync('x'); return -1; }
  log_sync('s');
  return (int)syscall(SYS_fdatasync, fd);
}

ssize_t pwrite(int fd, const void *buf, size_t n, off_t at) {
  if (must_fail("write", &writes, fd)) return -1;
  return syscall(SYS_pwrite64, fd, buf, n, at);
}

ssize_t pwrite64(int fd, const void *buf, size_t n, off64_t at) {
  if (must_fail("write", &writes, fd)) return -1;
  return syscall(SYS_pwrite64, fd, buf, n, at);
}

ssize_t pread(int fd, void *buf, size_t n, off_t at) {
  if (must_fail("read", &reads, fd)) return -1;
  return syscall(SYS_pread64, fd, buf, n, at);
}

ssize_t pread64(int fd, void *buf, size_t n, off64_t at) {
  if (must_fail("read", &reads, fd)) return -1;
  return syscall(SYS_pread64, fd, buf, n, at);
}
