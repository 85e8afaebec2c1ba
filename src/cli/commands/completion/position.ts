import { parseArgs } from 'node:util';
import type { CommandDefinitions, CommandRow } from '../../command.js';
import { type Argument, type Flag, type Flags, toKebabCase } from '../../flags/flag.js';
import { GLOBAL_FLAGS, type GlobalOptions } from '../../flags/globals.js';

export interface Candidate {
  value: string;
  description: string;
}

type Position =
  | { kind: 'words'; candidates: Candidate[] }
  | { kind: 'value'; of: Flag | Argument; prefix: string; partial: string };

interface Parsed {
  position: Position;
  /** The global flags that select the target, anywhere on the line. */
  globals: Pick<GlobalOptions, (typeof TARGET_FLAGS)[number]>;
}

const TARGET_FLAGS = ['baseUrl', 'profile', 'keyFile', 'dataDir', 'headerPrefix', 'local'] as const;

const takesValue = ({ value, optionalValue }: Flag): boolean => value !== undefined && !optionalValue;

function parse(words: readonly string[], flags: Flags) {
  const options = Object.entries(flags).map(([name, flag]) => [
    toKebabCase(name),
    { type: takesValue(flag) ? 'string' : 'boolean', ...(flag.short && { short: flag.short }) },
  ]);
  return parseArgs({
    args: [...words],
    options: Object.fromEntries(options),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
}

function startOf({ name, aliases = [] }: CommandRow, words: readonly string[]): string[] | undefined {
  const path = name.split(' ');
  const last = path.pop() ?? '';
  const isTyped = path.every((word, index) => word === words[index]);
  return isTyped && [last, ...aliases].includes(words[path.length] ?? '') ? [...path, last] : undefined;
}

function nextWords(path: readonly string[], { commands, summaries }: CommandDefinitions): Candidate[] {
  const next = new Map<string, string>();
  for (const { name, hidden, summary } of commands) {
    const words = name.split(' ').slice(0, path.length + 1);
    const value = words[path.length];
    if (hidden || value === undefined || next.has(value)) continue;
    if (path.every((word, index) => word === words[index]))
      next.set(value, name === words.join(' ') ? summary : (summaries[words.join(' ')] ?? ''));
  }
  return [...next].map(([value, description]) => ({ value, description }));
}

function flagWords(flags: Flags): Candidate[] {
  return Object.entries(flags).flatMap(([name, { description, negatable, negation = '', onByDefault }]) => [
    { value: `--${onByDefault ? 'no-' : ''}${toKebabCase(name)}`, description },
    ...(negatable ? [{ value: `--no-${toKebabCase(name)}`, description: negation }] : []),
  ]);
}

export function parsePosition(words: readonly string[], definitions: CommandDefinitions): Parsed {
  const partial = words.at(-1) ?? '';
  const typed = words.slice(0, -1);
  const path = parse(typed, GLOBAL_FLAGS).positionals;
  const [[row, start] = []] = definitions.commands
    .flatMap((one) => {
      const found = startOf(one, path);
      return found ? [[one, found] as const] : [];
    })
    .sort(([, one], [, other]) => other.length - one.length);
  const flags: Flags = { ...GLOBAL_FLAGS, ...row?.flags };
  const { tokens, values, positionals } = parse(typed, flags);
  const given = TARGET_FLAGS.map((name) => [name, values[toKebabCase(name)]]);
  const globals = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  return { globals, position: positionOf() };

  function positionOf(): Position {
    const flagOf = (name: string) => Object.entries(flags).find(([one]) => name === toKebabCase(one))?.[1];
    const last = tokens.at(-1);
    const pending = last?.kind === 'option' && last.value === undefined ? flagOf(last.name) : undefined;
    if (pending && takesValue(pending)) return { kind: 'value', of: pending, prefix: '', partial };
    const isFlag = partial.startsWith('-') && !tokens.some(({ kind }) => kind === 'option-terminator');
    const [, prefix = '', name = '', value = ''] = /^(--([^=]+)=)(.*)$/s.exec(partial) ?? [];
    if (isFlag && prefix !== '') {
      const of = flagOf(name);
      return of ? { kind: 'value', of, prefix, partial: value } : { kind: 'words', candidates: [] };
    }
    if (isFlag) return { kind: 'words', candidates: flagWords(flags) };
    // A command may have others below it: `emulator requests verify`.
    const below = nextWords(path, definitions);
    if (!row || !start || below.length > 0) return { kind: 'words', candidates: below };
    const all = Object.values(row.arguments ?? {});
    const of = all[positionals.length - start.length] ?? (all.at(-1)?.variadic ? all.at(-1) : undefined);
    return of ? { kind: 'value', of, prefix: '', partial } : { kind: 'words', candidates: [] };
  }
}
