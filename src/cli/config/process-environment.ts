import { homedir } from 'node:os';
import { isatty } from 'node:tty';

const [STDIN, STDOUT, STDERR] = [0, 1, 2] as const;

/** The environment of the process. Commands get it as settings. */
export type ProcessEnvironment = ReturnType<typeof readProcessEnvironment>;

/** Reads the environment. The streams themselves are opened when they are needed: goal S2. */
export function readProcessEnvironment() {
  const { env, platform }: { env: Readonly<NodeJS.ProcessEnv>; platform: NodeJS.Platform } = process;
  const stdout = isatty(STDOUT);
  return {
    env,
    platform,
    cwd: process.cwd(),
    home: homedir(),
    // Which streams are terminals, and the width of stdout if it is one that knows it.
    terminal: {
      stdin: isatty(STDIN),
      stdout,
      stderr: isatty(STDERR),
      columns: (stdout && process.stdout.columns) || undefined,
    },
  };
}
