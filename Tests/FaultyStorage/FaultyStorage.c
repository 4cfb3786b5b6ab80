#include "FaultyStorage.h"

#include <sqlite3.h>
#include <stddef.h>

// A file of the layer; the system's own file lies right behind it, in the memory that SQLite provides for both.
struct faulty_file {
  sqlite3_file base;
  const char *path;
  sqlite3_file *own;
};

static sqlite3_vfs *system_files;
static sqlite3_vfs layer;
static faulty_storage_watch watch_storage;

static struct faulty_file *faulty(sqlite3_file *file) { return (struct faulty_file *)file; }
static sqlite3_file *own(sqlite3_file *file) { return faulty(file)->own; }

static int ask(int operation, const char *path, long long offset, const void *bytes, int count) {
  // A temporary file has no name, and dies with its process anyway.
  return path == NULL ? SQLITE_OK : watch_storage(operation, path, offset, bytes, count);
}

static int on_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  int refusal = ask(FAULTY_STORAGE_WRITE, faulty(file)->path, offset, bytes, count);
  return refusal ? refusal : own(file)->pMethods->xWrite(own(file), bytes, count, offset);
}

static int on_truncate(sqlite3_file *file, sqlite3_int64 size) {
  int refusal = ask(FAULTY_STORAGE_TRUNCATE, faulty(file)->path, size, NULL, 0);
  return refusal ? refusal : own(file)->pMethods->xTruncate(own(file), size);
}

static int on_sync(sqlite3_file *file, int flags) {
  int refusal = ask(FAULTY_STORAGE_SYNC, faulty(file)->path, 0, NULL, 0);
  return refusal ? refusal : own(file)->pMethods->xSync(own(file), flags);
}

static int on_map(sqlite3_file *file, int region, int size, int extend, void volatile **memory) {
  int refusal = ask(FAULTY_STORAGE_MAP, faulty(file)->path, region, NULL, 0);
  return refusal ? refusal : own(file)->pMethods->xShmMap(own(file), region, size, extend, memory);
}

static int on_close(sqlite3_file *file) { return own(file)->pMethods->xClose(own(file)); }
static int on_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  return own(file)->pMethods->xRead(own(file), bytes, count, offset);
}
static int on_size(sqlite3_file *file, sqlite3_int64 *size) { return own(file)->pMethods->xFileSize(own(file), size); }
static int on_lock(sqlite3_file *file, int level) { return own(file)->pMethods->xLock(own(file), level); }
static int on_unlock(sqlite3_file *file, int level) { return own(file)->pMethods->xUnlock(own(file), level); }
static int on_check_lock(sqlite3_file *file, int *isLocked) {
  return own(file)->pMethods->xCheckReservedLock(own(file), isLocked);
}
static int on_control(sqlite3_file *file, int operation, void *argument) {
  return own(file)->pMethods->xFileControl(own(file), operation, argument);
}
static int on_sector_size(sqlite3_file *file) { return own(file)->pMethods->xSectorSize(own(file)); }
static int on_characteristics(sqlite3_file *file) { return own(file)->pMethods->xDeviceCharacteristics(own(file)); }
static int on_map_lock(sqlite3_file *file, int offset, int count, int flags) {
  return own(file)->pMethods->xShmLock(own(file), offset, count, flags);
}
static void on_barrier(sqlite3_file *file) { own(file)->pMethods->xShmBarrier(own(file)); }
static int on_unmap(sqlite3_file *file, int removes) { return own(file)->pMethods->xShmUnmap(own(file), removes); }

// Version 2 of the interface: with shared memory, without mapped pages, which a vault does not use.
static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = on_close,
    .xRead = on_read,
    .xWrite = on_write,
    .xTruncate = on_truncate,
    .xSync = on_sync,
    .xFileSize = on_size,
    .xLock = on_lock,
    .xUnlock = on_unlock,
    .xCheckReservedLock = on_check_lock,
    .xFileControl = on_control,
    .xSectorSize = on_sector_size,
    .xDeviceCharacteristics = on_characteristics,
    .xShmMap = on_map,
    .xShmLock = on_map_lock,
    .xShmBarrier = on_barrier,
    .xShmUnmap = on_unmap,
};

static int on_open(sqlite3_vfs *files, const char *path, sqlite3_file *file, int flags, int *outFlags) {
  (void)files;
  struct faulty_file *opened = faulty(file);
  opened->path = path;
  opened->own = (sqlite3_file *)(opened + 1);
  int result = system_files->xOpen(system_files, path, opened->own, flags, outFlags);
  // SQLite closes a file that failed to open if it has methods.
  opened->base.pMethods = opened->own->pMethods ? &methods : NULL;
  return result;
}

static int on_delete(sqlite3_vfs *files, const char *path, int syncs) {
  (void)files;
  int refusal = ask(FAULTY_STORAGE_DELETE, path, 0, NULL, 0);
  return refusal ? refusal : system_files->xDelete(system_files, path, syncs);
}

int faulty_storage_install(faulty_storage_watch watch) {
  system_files = sqlite3_vfs_find(NULL);
  if (system_files == NULL) return SQLITE_ERROR;
  watch_storage = watch;
  // Everything that is not named here is the system's own, which finds its data in the copy.
  layer = *system_files;
  layer.zName = "faulty";
  layer.szOsFile = (int)sizeof(struct faulty_file) + system_files->szOsFile;
  layer.xOpen = on_open;
  layer.xDelete = on_delete;
  return sqlite3_vfs_register(&layer, 1);
}
