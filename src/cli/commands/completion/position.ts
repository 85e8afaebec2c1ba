import type { CommandDefinitions, CommandRow } from '../../command.js';
import { type Argument, type Flag, type Flags, toKebabCase } from '../../flags/flag.js';
import { GLOBAL_FLAGS } from '../../flags/globals.js';

/** What can be typed at the cursor. */
type Position =
  | { kind: 'words'; candidates: { value: string; description: string }[] }
  | { kind: 'value'; of: Flag | Argument; prefix: string; partial: string };

interface Parsed {
  position: Position;
  /** Values of the global flags that select the target, anywhere on the line. */
  globals: Partial<Record<(typeof TARGET_FLAGS)[number], string>>;
}

const TARGET_FLAGS = ['baseUrl', 'profile', 'keyFile', 'dataDir', 'headerPrefix', 'local'] as const;

function findFlag(word: string, flags: Flags): [string, Flag] | undefined {
  return Object.entries(flags).find(
    ([name, flag]) =>
      word === `--${toKebabCase(name)}` || (flag.short !== undefined && word === `-${flag.short}`),
  );
}

function rowsUnder(path: readonly string[], { commands }: CommandDefinitions): CommandRow[] {
  const prefix = path.join(' ');
  return commands.filter((row) => !row.hidden && (prefix === '' || `${row.name} `.startsWith(`${prefix} `)));
}

function findRow(path: readonly string[], { commands }: CommandDefinitions): CommandRow | undefined {
  const name = path.join(' ');
  return commands.find((row) => {
    const parent = row.name.split(' ').slice(0, -1);
    const aliases = (row.aliases ?? []).map((alias) => [...parent, alias].join(' '));
    return row.name === name || aliases.includes(name);
  });
}

function nextWords(
  path: readonly string[],
  definitions: CommandDefinitions,
): { value: string; description: string }[] {
  const next = new Map<string, string>();
  for (const row of rowsUnder(path, definitions)) {
    const words = row.name.split(' ').slice(0, path.length + 1);
    const value = words[path.length];
    if (value === undefined || next.has(value)) continue;
    next.set(
      value,
      row.name === words.join(' ') ? row.summary : (definitions.summaries[words.join(' ')] ?? ''),
    );
  }
  return [...next].map(([value, description]) => ({ value, description }));
}

function flagWords(flags: Flags): { value: string; description: string }[] {
  return Object.entries(flags).flatMap(([name, { description, negatable, negation = '', onByDefault }]) => [
    { value: `--${onByDefault ? 'no-' : ''}${toKebabCase(name)}`, description },
    ...(negatable ? [{ value: `--no-${toKebabCase(name)}`, description: negation }] : []),
  ]);
}

/** Determines what can be typed at the end of these words, of which the last is incomplete. */
export function parsePosition(words: readonly string[], definitions: CommandDefinitions): Parsed {
  const partial = words.at(-1) ?? '';
  const globals: Parsed['globals'] = {};
  const path: string[] = [];
  let row: CommandRow | undefined;
  let filled = 0;
  let pending: [string, Flag] | undefined;
  let flags: Flags = GLOBAL_FLAGS;
  let onlyArguments = false;
  const take = (name: string, value: string) => {
    const target = TARGET_FLAGS.find((one) => one === name);
    if (target) globals[target] = value;
  };
  for (const word of words.slice(0, -1)) {
    if (pending) {
      take(pending[0], word);
      pending = undefined;
    } else if (word === '--') {
      onlyArguments = true;
    } else if (word.startsWith('-') && !onlyArguments) {
      const [typed = '', value] = word.split(/=(.*)/s);
      const found = findFlag(typed, flags);
      if (!found) continue;
      const [name, flag] = found;
      if (value === undefined && flag.value !== undefined && !flag.optionalValue) pending = found;
      else take(name, value ?? '');
    } else if (row) {
      filled++;
    } else {
      path.push(word);
      row = findRow(path, definitions);
      if (row) flags = { ...GLOBAL_FLAGS, ...row.flags };
    }
  }
  return { globals, position: positionOf() };

  function positionOf(): Position {
    if (pending) return { kind: 'value', of: pending[1], prefix: '', partial };
    const equals = partial.indexOf('=');
    if (partial.startsWith('--') && equals > 0 && !onlyArguments) {
      const found = findFlag(partial.slice(0, equals), flags);
      if (!found) return { kind: 'words', candidates: [] };
      return {
        kind: 'value',
        of: found[1],
        prefix: partial.slice(0, equals + 1),
        partial: partial.slice(equals + 1),
      };
    }
    if (partial.startsWith('-') && !onlyArguments) return { kind: 'words', candidates: flagWords(flags) };
    if (!row) return { kind: 'words', candidates: nextWords(path, definitions) };
    const all = Object.values(row.arguments ?? {});
    const argument = all[filled] ?? (all.at(-1)?.variadic ? all.at(-1) : undefined);
    if (!argument) return { kind: 'words', candidates: [] };
    return { kind: 'value', of: argument, prefix: '', partial };
  }
}
