import { fstatSync } from 'node:fs';
import type { OutputConfiguration } from 'commander';
import { openStdout } from './output/stdout.js';

const STDOUT = 1;
const DEFAULT_WIDTH = 80;

/** Whether stdout can be a terminal; a pipe or a file cannot. */
function canBeTerminal(): boolean {
  return fstatSync(STDOUT).isCharacterDevice();
}

/**
 * Prints help texts and the version.
 * @param onError called when stdout is closed or cannot be written.
 */
export function createHelpOutput(onError: (error: NodeJS.ErrnoException) => void): OutputConfiguration {
  const isTTY = canBeTerminal();
  const { write } = openStdout(isTTY, onError);
  if (isTTY) return { writeOut: write };
  return {
    writeOut: write,
    // commander would ask `process.stdout`.
    getOutHelpWidth: () => DEFAULT_WIDTH,
    // Nothing here is colored, so nothing has to be removed.
    getOutHasColors: () => true,
  };
}
