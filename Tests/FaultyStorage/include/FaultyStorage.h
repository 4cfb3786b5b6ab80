#ifndef SECRETVAULT_FAULTY_STORAGE_H
#define SECRETVAULT_FAULTY_STORAGE_H

// What SQLite is about to do to a file.
enum {
  FAULTY_STORAGE_WRITE = 0,
  FAULTY_STORAGE_TRUNCATE = 1,
  FAULTY_STORAGE_SYNC = 2,
  FAULTY_STORAGE_DELETE = 3,
  FAULTY_STORAGE_MAP = 4,
};

// Is asked before each such operation. A result other than 0 is a result code of SQLite, and the operation is not done.
typedef int (*faulty_storage_watch)(int operation, const char *path, long long offset, const void *bytes, int count);

// Puts a layer that asks `watch` between SQLite and the system, for every database that this process opens from now on.
// Returns a result code of SQLite.
int faulty_storage_install(faulty_storage_watch watch);

#endif
