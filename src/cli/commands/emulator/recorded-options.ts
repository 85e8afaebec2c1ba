import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { EMULATOR_OPTIONS, type EmulatorOption } from '../../../contract/emulator-options.js';
import type { Context } from '../../command.js';
import type { RunningState } from '../../config/state-file.js';
import { toKebabCase } from '../../flags/flag.js';
import { usageError } from '../../lib/errors.js';
import type { StartFlags } from './options.js';

/** Options that do not make it another emulator. */
const NOT_COMPARED = new Set(['port', 'store']);

/** Returns the options that are not the defaults, by flag, as text. Of what no message may repeat there is a digest. */
export function recordedOptions(
  flags: StartFlags,
  store: string | undefined,
  { settings: { cwd, headerPrefix } }: Context,
): Record<string, string> {
  const given: Readonly<Record<string, unknown>> = flags;
  const recorded: Record<string, string> = {};
  for (const [name, row] of Object.entries<EmulatorOption>(EMULATOR_OPTIONS)) {
    const value = given[name];
    const isDefault = value === undefined || value === (row.onByDefault ?? false);
    if (isDefault || NOT_COMPARED.has(name)) continue;
    const long = `${row.onByDefault ? 'no-' : ''}${toKebabCase(name)}`;
    recorded[long] = row.onByDefault ? 'true' : textOf(value, row, cwd);
  }
  if (headerPrefix !== undefined) recorded['header-prefix'] = headerPrefix;
  if (store !== undefined) recorded.store = withoutPassword(store);
  return recorded;
}

function textOf(value: unknown, { suggest, sensitive }: EmulatorOption, cwd: string): string {
  const text =
    suggest === 'file' && typeof value === 'string' ? resolve(cwd, value) : [value].flat().join(' ');
  return sensitive ? digestOf(text) : withoutPassword(text);
}

/** A URL with a password. One is refused when the emulator starts, which `--ensure` compares before. */
const WITH_PASSWORD = /:\/\/[^/\s]*:\S*@|[?&]password=/i;

const withoutPassword = (text: string): string => (WITH_PASSWORD.test(text) ? digestOf(text) : text);

const digestOf = (text: string): string =>
  `sha256 ${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;

export function assertSameOptions(
  { base_url, options: there = {} }: RunningState,
  here: Readonly<Record<string, string>>,
  port: number | undefined,
): void {
  const names = [...new Set([...Object.keys(there), ...Object.keys(here)])];
  const differences = names
    .filter((name) => there[name] !== here[name])
    .map((name) => `--${name} is ${describeValue(there[name])} there and ${describeValue(here[name])} here`);
  if (port && String(port) !== new URL(base_url).port) differences.push(`--port is ${port} here`);
  if (differences.length === 0) return;
  throw usageError(
    `The emulator at ${base_url} runs with other options: ${differences.join('; ')}.`,
    'Stop it first, `tokenctl emulator stop`, or give the options that it has.',
  );
}

const describeValue = (text: string | undefined): string =>
  text === undefined ? 'not set' : text === 'true' ? 'set' : text;
