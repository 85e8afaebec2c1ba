import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { EXECUTABLE, projectDir } from '../../support/executable.js';
import { startStub } from '../../support/http-server.js';
import { useSharedEmulator } from '../../support/shared-emulator.js';
import { openTerminal, type Terminal } from '../../support/terminal.js';

const emulator = useSharedEmulator({ memory: true });

const ROWS = '{"type":"token","data":1}\n';
const ERASE_LINE = '\r\u001b[K';
const HIDE_CURSOR = '\u001b[?25l';

const inColumns = (columns: number, args: string) =>
  `stty cols ${columns}; exec ${process.execPath} ${EXECUTABLE} ${args}`;

/** The lines that stay on the terminal: what comes before an erased line end has been overwritten. */
const visibleLines = (terminal: Terminal): string[] =>
  terminal
    .raw()
    .split('\r\n')
    .map((line) => line.slice(line.lastIndexOf(ERASE_LINE) + 1).replace('\u001b[K', ''));

/** Each state of the progress line. */
const progressLines = (terminal: Terminal): string[] =>
  terminal
    .raw()
    .split(ERASE_LINE)
    .map((text) => text.split('\r\n').at(-1) ?? '')
    .filter((text) => text.includes(' of '));

test.each([60, 120])('progress fits %d columns, counts rows done, ends at 100 %%', async (columns) => {
  const { cwd, env } = await emulator.project({ 'rows.ndjson': ROWS.repeat(900) });
  const args = 'token import rows.ndjson --batch 10';
  const imported = openTerminal(inColumns(columns, args), cwd, env);
  expect(await imported.ended()).toBe(0);
  const exported = openTerminal(inColumns(columns, 'token export --out out.ndjson'), cwd, env);
  expect(await exported.ended()).toBe(0);
  for (const terminal of [imported, exported]) {
    const lines = progressLines(terminal);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns - '^C '.length);
    const percents = lines.map((line) => Number(/(\d+) %/.exec(line)?.[1]));
    expect(percents).toEqual([...percents].sort((one, other) => one - other));
    expect(lines.at(-1)).toMatch(/█ 100 % {2}900 of 900 (?:rows|tokens)/);
    expect(terminal.raw()).not.toContain(HIDE_CURSOR);
    expect(visibleLines(terminal).join('\n')).not.toContain('█');
  }
});

test('Ctrl-C removes the progress line and says how to resume', async () => {
  const tokens = Array.from({ length: 10 }, () => ({ id: 'a', type: 'token' }));
  const stub = await startStub(
    { body: { tenant_id: 't' } },
    { body: tokens },
    { body: tokens, delayMs: 20_000 },
  );
  const cwd = await projectDir({ 'rows.ndjson': ROWS.repeat(30) });
  const env = { TOKENCTL_BASE_URL: stub.url, TOKENCTL_API_KEY: 'key' };
  const args = 'token import rows.ndjson --batch 10 --concurrency 1 --checkpoint c.json';
  const terminal = openTerminal(inColumns(80, args), cwd, env);
  await terminal.waitFor('33 %  10 of 30 rows');
  terminal.type('\x03');
  expect(await terminal.ended()).toBe(130);
  expect(visibleLines(terminal).slice(-3)).toEqual([
    'Stopping … (press Ctrl-C again to exit immediately)',
    'Stopped after row 10 of 30. Run the same command again to resume.',
    '',
  ]);
  expect(JSON.parse(await readFile(`${cwd}/c.json`, 'utf8'))).toMatchObject({ done: 10, completed: false });
});

test('an export to the terminal shows no progress among the tokens', async () => {
  const { run, cwd, env } = await emulator.project({ 'rows.ndjson': ROWS.repeat(250) });
  await run('token import rows.ndjson');
  const terminal = openTerminal(inColumns(80, 'token export --reveal'), cwd, env);
  expect(await terminal.ended()).toBe(0);
  expect(progressLines(terminal)).toEqual([]);
});
