import { type FileSystem, nodeFileSystem } from '../../emulator/store/files/file-system.js';

/** The real file system with a disk that can be filled. */
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
