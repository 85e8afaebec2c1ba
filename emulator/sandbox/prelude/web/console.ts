import { format, inspect } from 'node-inspect-extracted';
import { host } from '../bridge/host.js';

/** Creates the global `console`, which writes to the reactor's log. */
export function createConsole(): Record<string, unknown> {
  const counts = new Map<string, number>();
  const timers = new Map<string, number>();
  let indent = '';
  const write = (level: string, text: string) => {
    const lines = indent ? text.replace(/^/gm, indent) : text;
    host.log(level, JSON.stringify(lines));
  };
  const at =
    (level: string) =>
    (...args: unknown[]) =>
      write(level, format(...args));
  const group = (...args: unknown[]) => {
    if (args.length > 0) write('log', format(...args));
    indent += '  ';
  };
  const elapsed = (label: string) =>
    `${label}: ${(performance.now() - (timers.get(label) ?? 0)).toFixed(3)}ms`;
  return {
    log: at('log'),
    info: at('info'),
    debug: at('debug'),
    warn: at('warn'),
    error: at('error'),
    trace: (...args: unknown[]) => write('error', `Trace: ${format(...args)}`),
    dir: (value: unknown, options?: object) => write('log', inspect(value, options)),
    dirxml: at('log'),
    table: at('log'),
    assert: (condition: unknown, ...args: unknown[]) => {
      if (!condition)
        write('warn', args.length > 0 ? `Assertion failed: ${format(...args)}` : 'Assertion failed');
    },
    count: (label = 'default') => {
      counts.set(label, (counts.get(label) ?? 0) + 1);
      write('log', `${label}: ${counts.get(label)}`);
    },
    countReset: (label = 'default') => void counts.delete(label),
    group,
    groupCollapsed: group,
    groupEnd: () => {
      indent = indent.slice(2);
    },
    time: (label = 'default') => void timers.set(label, performance.now()),
    timeLog: (label = 'default', ...args: unknown[]) => write('log', format(elapsed(label), ...args)),
    timeEnd: (label = 'default') => {
      write('log', elapsed(label));
      timers.delete(label);
    },
  };
}
