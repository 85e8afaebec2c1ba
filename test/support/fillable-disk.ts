import { type FileSystem, nodeFileSystem } from '../../emulator/store/files/file-system.js';

/** Returns the real file system, whose writes fail with ENOSPC while `disk.isFull` is set. */
export function fillableDisk() {
  const disk = { isFull: false };
  const files: FileSystem = {
    ...nodeFileSystem,
    async write(...args) {
      if (disk.isFull) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
      return nodeFileSystem.write(...args);
    },
  };
  return { disk, files };
}
