/** A standard stream whose lines go to the console of the reactor. */
const createOutput = (fd: number, level: 'log' | 'error') => ({
  fd,
  isTTY: false,
  writable: true,
  write: (text: unknown) => {
    console[level](String(text).replace(/\n$/, ''));
    return true;
  },
});

/** Creates the part of `process` that portable code uses. */
export function createProcess(): Record<string, unknown> {
  const nanoseconds = (): bigint => BigInt(Math.round(performance.now() * 1e6));
  const hrtime = (previous?: [number, number]): [number, number] => {
    const now = nanoseconds() - (previous ? BigInt(previous[0]) * 1_000_000_000n + BigInt(previous[1]) : 0n);
    return [Number(now / 1_000_000_000n), Number(now % 1_000_000_000n)];
  };
  const process: Record<string | symbol, unknown> = {
    [Symbol.toStringTag]: 'process',
    title: 'reactor',
    version: 'v16.20.2',
    versions: { node: '16.20.2' },
    platform: 'linux',
    arch: 'x64',
    argv: ['node', 'reactor'],
    execArgv: [],
    env: {},
    pid: 1,
    exitCode: undefined,
    stdout: createOutput(1, 'log'),
    stderr: createOutput(2, 'error'),
    cwd: () => '/',
    uptime: () => performance.now() / 1000,
    hrtime: Object.assign(hrtime, { bigint: nanoseconds }),
    nextTick: (callback: (...args: unknown[]) => void, ...args: unknown[]) =>
      queueMicrotask(() => callback(...args)),
    emitWarning: (warning: unknown) => console.warn(String(warning)),
  };
  for (const name of ['on', 'once', 'off', 'addListener', 'removeListener', 'removeAllListeners'])
    process[name] = () => process;
  return process;
}
