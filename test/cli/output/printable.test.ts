import { expect, test } from 'vitest';
import type { OutputSettings } from '../../../src/cli/config/settings.js';
import { loadStyle, toPrintable } from '../../../src/cli/output/style.js';
import { EXECUTABLE, projectDir } from '../../support/executable.js';
import { collectOutput } from '../../support/output.js';
import { openTerminal } from '../../support/terminal.js';

/** Every control character but tab and line feed, C1 included, and those that change the direction of text. */
const CONTROLS = [
  ...Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).filter((one) =>
    /[^\t\n -~]/.test(one),
  ),
  ...'\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069',
];
const ALL = CONTROLS.join('');
const holdsControls = (text: string): boolean => CONTROLS.some((control) => text.includes(control));

async function outputTo(mode: OutputSettings['mode'] = 'json', isTTY = true) {
  const { output, written } = await collectOutput({ mode, reveal: true, debug: true }, { isTTY });
  return { output, text: () => written.join('') };
}

test.each(['notice', 'warn', 'debug', 'text'] as const)('%s writes no control character', async (method) => {
  const { output, text } = await outputTo();
  output[method](`a${ALL}b`);
  expect(holdsControls(text())).toBe(false);
  expect(text()).toContain('\\u001b');
  expect(text()).toContain('\\u009b');
});

test.each(['table', 'json', 'ndjson', 'yaml'] as const)('results in %s have none there', async (mode) => {
  const { output, text } = await outputTo(mode);
  await output.result([{ [`key${ALL}`]: `value${ALL}` }], { redaction: 'plain' });
  await output.result({ [`key${ALL}`]: `value${ALL}` }, { redaction: 'plain', render: () => ALL });
  expect(holdsControls(text())).toBe(false);
});

test('JSON on a terminal means the same as in a file', async () => {
  const value = { [`key${ALL}`]: `value${ALL}` };
  const { output, text } = await outputTo();
  await output.result(value, { redaction: 'plain' });
  expect(JSON.parse(text())).toEqual(value);
});

test('off a terminal, stdout is not changed', async () => {
  const { output, text } = await outputTo('json', false);
  output.text(ALL);
  expect(text()).toBe(`${ALL}\n`);
});

test('only styles of our own reach the terminal', async () => {
  const style = await loadStyle(true);
  expect(toPrintable(style.red('a\u001b[31m'))).toBe('\u001b[31ma\\u001b[31m\u001b[39m');
  expect(toPrintable(style.bold(style.red('a')))).toBe('\u001b[1m\u001b[31ma\u001b[39m\u001b[22m');
  expect(toPrintable('\u001b[31m')).toBe('\\u001b[31m');
});

test('keys of an imported row reach the terminal escaped', async () => {
  const cwd = await projectDir({
    'rows.ndjson': `${JSON.stringify({ type: 'token', data: 1, metadata: { 'a\u001b]0;title\u0007\u009b2J': 1 } })}\n`,
  });
  const terminal = openTerminal(
    'tokenctl() { node "$TOKENCTL" "$@"; }; tokenctl token import rows.ndjson --local 2>&1 | cat; tokenctl token import rows.ndjson --local --checkpoint other',
    cwd,
    { TOKENCTL: EXECUTABLE },
  );
  await terminal.ended();
  expect(terminal.screen()).toContain('\\u001b]0;title\\u0007\\u009b2J');
});

test('the target waits for the first result where errors are JSON', async () => {
  const { output, lines } = await collectOutput({});
  output.target('→ production');
  expect(lines).toEqual([]);
  await output.result({ ok: true }, { redaction: 'plain' });
  expect(lines[0]).toBe('err → production');
});

test('the target is printed at the end of a command without a result', async () => {
  const { output, lines } = await collectOutput({});
  output.target('→ production');
  output.flush();
  output.flush();
  expect(lines).toEqual(['err → production']);
});

test('the target is printed at once where errors are text, and never with --quiet', async () => {
  const table = await collectOutput({ mode: 'table' });
  table.output.target('→ production');
  expect(table.lines).toEqual(['err → production']);
  const quiet = await collectOutput({ mode: 'table', quiet: true });
  quiet.output.target('→ production');
  quiet.output.flush();
  expect(quiet.lines).toEqual([]);
});
