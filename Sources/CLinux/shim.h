#ifndef SECRETVAULT_CLINUX_SHIM_H
#define SECRETVAULT_CLINUX_SHIM_H

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
// The Glibc module lacks signalfd, which lets a prompt restore the terminal before a signal acts.
#include <sys/signalfd.h>
#include <sys/syscall.h>
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

// open and openat are variadic in C; the Glibc overlay offers them without O_NOFOLLOW folders relative to a descriptor.
static inline int secretvault_openat(int folder, const char *name, int flags, mode_t mode) {
  return openat(folder, name, flags, mode);
}

#endif
