#ifndef SECRETVAULT_CLINUX_SHIM_H
#define SECRETVAULT_CLINUX_SHIM_H

#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <malloc.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
// The Glibc module lacks signalfd, which lets a prompt restore the terminal before a signal acts.
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/vfs.h>
#include <unistd.h>

// Swift's Glibc module does not import <sys/random.h>.
static inline ssize_t secretvault_getrandom(void *buffer, size_t count) {
  return getrandom(buffer, count, 0);
}

// prctl is variadic; Swift cannot call it.
static inline int secretvault_set_dumpable(int dumpable) {
  return prctl(PR_SET_DUMPABLE, dumpable, 0, 0, 0);
}

// renameat2 is declared only with _GNU_SOURCE, which the Glibc module does not set. The system call is used because an
// older C library lacks the wrapper. RENAME_NOREPLACE is 1 (linux/fs.h).
static inline int secretvault_rename_without_replacing(int from_folder, const char *from, int to_folder, const char *to) {
  return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, 1);
}

// What stat(2) tells of a file, but for its times. Who asks for those makes Linux give the file's next change a time of
// its own instead of the one of the last tick, of it and of every file that changes after it, and so each commit would
// have a changed inode to make durable as well (docs.kernel.org/filesystems/multigrain-ts.html).
struct secretvault_status {
  unsigned long long device, inode, byte_count;
  unsigned int mode, owner, group, link_count;
};

static inline int secretvault_read_status(int folder, const char *name, int flags,
                                          struct secretvault_status *status) {
  struct statx found;
  unsigned int mask =
      STATX_TYPE | STATX_MODE | STATX_NLINK | STATX_UID | STATX_GID | STATX_INO | STATX_SIZE;
  // The wrapper is declared only with _GNU_SOURCE.
  if (syscall(SYS_statx, folder, name, flags, mask, &found) != 0) return -1;
  status->device = (unsigned long long)found.stx_dev_major << 32 | found.stx_dev_minor;
  status->inode = found.stx_ino;
  status->byte_count = found.stx_size;
  status->mode = found.stx_mode;
  status->owner = found.stx_uid;
  status->group = found.stx_gid;
  status->link_count = found.stx_nlink;
  return 0;
}

// The same of an open file; AT_EMPTY_PATH is 0x1000.
static inline int secretvault_read_status_of_file(int file, struct secretvault_status *status) {
  return secretvault_read_status(file, "", 0x1000, status);
}

// Swift cannot import the type of the field, and fstatfs shares its name with a structure; 0 where there is no answer.
static inline unsigned int secretvault_file_system_type(int file) {
  struct statfs status;
  return fstatfs(file, &status) == 0 ? (unsigned int)status.f_type : 0;
}

// open and openat are variadic in C; the Glibc overlay offers them without O_NOFOLLOW folders relative to a descriptor.
static inline int secretvault_openat(int folder, const char *name, int flags, mode_t mode) {
  return openat(folder, name, flags, mode);
}

// F_OFD_SETLK is declared only with _GNU_SOURCE; 37 (fcntl.h of Linux). The lock is of the open file, not of the process.
static inline int secretvault_set_byte(int file, int number, short type) {
  struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = number, .l_len = 1};
  return fcntl(file, 37, &lock);
}

// Whether no other open file has a lock in a run of bytes; F_OFD_GETLK is 36.
static inline int secretvault_are_bytes_free(int file, int first, int count) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = first, .l_len = count};
  return fcntl(file, 36, &lock) != 0 || lock.l_type == F_UNLCK;
}

static inline int secretvault_lock_byte(int file, int number) {
  return secretvault_set_byte(file, number, F_WRLCK);
}

static inline int secretvault_unlock_byte(int file, int number) {
  return secretvault_set_byte(file, number, F_UNLCK);
}

// Swift 6 refuses the global variable, because any thread may change it.
static inline char **secretvault_environment(void) {
  extern char **environ;
  return environ;
}

// pipe2 is declared only with _GNU_SOURCE.
static inline int secretvault_pipe(int ends[2]) {
  return (int)syscall(SYS_pipe2, ends, O_CLOEXEC);
}

// Lets a program that is started have no descriptors from a number on; declared only with _GNU_SOURCE (glibc 2.34).
static inline int secretvault_close_from(posix_spawn_file_actions_t *actions, int first) {
  extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

// Starts a program as env(1) does: with its own variables, whose PATH counts. Returns only on failure, with the error.
static inline int secretvault_execute(const char *file, char *const *arguments, char **variables) {
  extern char **environ;
  char **own = environ;
  environ = variables;
  execvp(file, arguments);
  environ = own;
  return errno;
}

// A handler is a macro or a union's member in C, which Swift cannot compare.
static inline int secretvault_ignores(int signal) {
  struct sigaction action;
  return sigaction(signal, (void *)0, &action) == 0 && action.sa_handler == SIG_IGN;
}

// struct ucred is declared only with _GNU_SOURCE, so its three numbers are named here (unix(7), SO_PEERCRED).
static inline int secretvault_peer_user(int socket, uid_t *user) {
  struct { pid_t process; uid_t user; gid_t group; } peer;
  socklen_t size = sizeof peer;
  int result = getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size);
  if (result == 0) *user = peer.user;
  return result;
}

// accept4 is declared only with _GNU_SOURCE.
static inline int secretvault_accept(int socket) {
  return (int)syscall(SYS_accept4, socket, (void *)0, (void *)0, SOCK_CLOEXEC);
}

// SO_PEERPIDFD (Linux 6.5) is newer than the C library's headers; without it there is no descriptor of the peer.
static inline int secretvault_peer_process(int socket) {
  int process = -1;
  socklen_t size = sizeof process;
  return getsockopt(socket, SOL_SOCKET, 77, &process, &size) == 0 ? process : -1;
}

// Starts a program that ends with the thread that started it, with nothing on standard input and error. In C, because
// between fork and exec a process with several threads may call only functions that are safe in signal handlers.
static inline pid_t secretvault_start_tethered(
    const char *path, char *const arguments[], char *const variables[], int null, int output) {
  pid_t parent = getpid();
  pid_t child = fork();
  if (child != 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  // The parent may have died before the line above.
  if (getppid() != parent) _exit(127);
  if (dup2(null, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0) _exit(127);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, (void *)0);
  signal(SIGPIPE, SIG_DFL);
  execve(path, arguments, variables);
  _exit(127);
}

#endif
