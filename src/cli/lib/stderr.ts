let isOpen = false;

/** What stderr does not take is lost: it must neither end an emulator nor change the exit code of a command that did its work. */
export function openStderr(): typeof process.stderr {
  if (!isOpen) process.stderr.on('error', () => {});
  isOpen = true;
  return process.stderr;
}
