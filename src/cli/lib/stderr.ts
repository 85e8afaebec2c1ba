let isOpen = false;

/**
 * Opens stderr. What it does not take, because its disk is full or its reader has finished, is lost: that must neither end an
 * emulator nor change the exit code of a command that has done its work.
 */
export function openStderr(): typeof process.stderr {
  if (!isOpen) process.stderr.on('error', () => {});
  isOpen = true;
  return process.stderr;
}
