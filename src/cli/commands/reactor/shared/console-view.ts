import type { ConsoleLine } from '../../../emulator/reactor-runner.js';

/** Formats a line that reactor code wrote to its console: `log: charging 5`. */
export const formatConsoleLine = ({ level, message }: ConsoleLine): string => `${level}: ${message}`;
