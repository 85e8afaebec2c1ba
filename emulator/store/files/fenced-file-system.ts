import type { FileSystem } from './file-system.js';

/** Returns a file system that changes nothing once this process has lost its data directory. @param assertHeld throws then */
export function fencedFileSystem(files: FileSystem, assertHeld: () => void): FileSystem {
  const fence = <Args extends unknown[], Result>(change: (...args: Args) => Promise<Result>) => {
    return async (...args: Args): Promise<Result> => {
      assertHeld();
      return change(...args);
    };
  };
  return {
    open: fence((path, mode) => files.open(path, mode)),
    write: fence((file, bytes, position) => files.write(file, bytes, position)),
    truncate: fence((file, length) => files.truncate(file, length)),
    sync: fence((file) => files.sync(file)),
    rename: fence((from, to) => files.rename(from, to)),
    remove: fence((path) => files.remove(path)),
    makeDirectory: fence((path) => files.makeDirectory(path)),
    readFile: (path) => files.readFile(path),
    close: (file) => files.close(file),
    list: (directory) => files.list(directory),
    syncDirectory: (path) => files.syncDirectory(path),
  };
}
