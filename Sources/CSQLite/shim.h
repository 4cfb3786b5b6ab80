#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <errno.h>
#include <sqlite3.h>

// Swift cannot call a variadic function; this is the form of sqlite3_db_config that switches a flag.
static inline int csqlite_switch(sqlite3 *database, int option, int on) {
  return sqlite3_db_config(database, option, on, (int *)0);
}

// Swift does not import a macro that casts an integer to a function pointer (SQLITE_TRANSIENT).
static inline int csqlite_bind_copied_blob(sqlite3_stmt *statement, int index, const void *bytes,
                                           sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

// The log is a file of SQLite's, which it lends by a control that writes a pointer (sqlite.org/c3ref/c_fcntl_begin_atomic_write.html,
// SQLITE_FCNTL_JOURNAL_POINTER); null where there is none.
static inline sqlite3_file *csqlite_log(sqlite3 *database) {
  sqlite3_file *log = (sqlite3_file *)0;
  int result = sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
  if (result != SQLITE_OK || log == (sqlite3_file *)0 || log->pMethods == (sqlite3_io_methods *)0) return (sqlite3_file *)0;
  return log;
}

static inline int csqlite_is_failed_disk(int number) { return number == EIO || number == ENXIO; }

// Whether the disk, and not the content, was what failed last in the file or its log. A read that ends with EIO or ENXIO is
// SQLITE_IOERR_CORRUPTFS to the storage, but SQLITE_CORRUPT once a statement hands it on.
static inline int csqlite_met_failed_disk(sqlite3 *database) {
  int number = 0;
  int result = sqlite3_file_control(database, "main", SQLITE_FCNTL_LAST_ERRNO, &number);
  if (result == SQLITE_OK && csqlite_is_failed_disk(number)) return 1;
  sqlite3_file *log = csqlite_log(database);
  number = 0;
  if (log == (sqlite3_file *)0) return 0;
  result = log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &number);
  return result == SQLITE_OK && csqlite_is_failed_disk(number);
}

#endif
