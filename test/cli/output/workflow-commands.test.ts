import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectDir, tokenctl } from '../../support/executable.js';
import { useSharedEmulator } from '../../support/shared-emulator.js';

const emulator = useSharedEmulator();

const INJECTED =
  'x\n::warning::one\r::error::two\r\n  \t::stop-commands::three\n##[error]four\u0085::notice::five';
const code = (text: string) =>
  `module.exports = async () => { console.log(${text}); throw new Error(${text}); };\n`;

/** Lists the commands that the runner finds: it trims each line, and finds the older form anywhere in a line. */
const commandsIn = (text: string): string[] =>
  text.split(/\r\n|\r|\n/).flatMap((line) => {
    const trimmed = line.replace(/^[\s\u0085]+/, '');
    if (trimmed.startsWith('::')) return [/^::[^:\s]*/.exec(trimmed)?.[0] ?? trimmed];
    return line.includes('##[') ? ['##['] : [];
  });

async function setUp(name: string) {
  const reactor = { name, code: 'a.js', smoke: [{ args: {}, name }] };
  const { cwd, env } = await emulator.project({
    'summary.md': 'before\n',
    'a.js': code(JSON.stringify(INJECTED)),
    'tokenctl.json': JSON.stringify({ reactors: [reactor, { code: 'a.js', name: 'b', smoke: [{}] }] }),
  });
  const summary = join(cwd, 'summary.md');
  return { cwd, summary, env: { ...env, GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary } };
}

test.each(['json', 'table'])('no error and no name becomes a workflow command, as %s', async (output) => {
  const { cwd, env, summary } = await setUp(`a|<b>[a](https://example.com) \\| ${INJECTED}`);
  const ran = await tokenctl(['apply', '--yes', '--output', output], { cwd, env });
  expect(ran.code).toBe(1);
  expect(commandsIn(ran.stdout)).toEqual([]);
  expect(commandsIn(ran.stderr)).toEqual(['::error', '::error']);
  const text = await readFile(summary, 'utf8');
  expect(text).toMatch(/^before\n### Applied to /);
  const rows = text.split('\n').filter((line) => line.startsWith('|'));
  // Each object is one row of four cells, whatever its name.
  expect(rows).toHaveLength(4);
  expect(rows[2]).toMatch(/^\| reactor \| a\\\|&lt;b>\\\[a\\\]/);
  for (const row of rows) {
    expect(row.match(/(?<!\\)(?:\\\\)*\|/g)).toHaveLength(5);
    expect(row).not.toMatch(/\r|<b>|(?<!\\)\[a/);
  }
});

test('what code prints becomes no workflow command in reactor run', async () => {
  const { cwd, env } = await setUp('a');
  const ran = await tokenctl('reactor run a.js --output table', { cwd, env });
  expect(commandsIn(ran.stdout + ran.stderr)).toEqual([]);
});

test('JSON keeps its meaning, and outside of GitHub Actions text stays as it is', async () => {
  const { env } = await setUp('a');
  const cwd = await projectDir({
    'r.js': `module.exports = async () => ({ raw: ${JSON.stringify(INJECTED)} });\n`,
  });
  const inWorkflow = await tokenctl('reactor run r.js --output json', { cwd, env });
  expect(inWorkflow.json).toMatchObject({ raw: INJECTED });
  const outside = await tokenctl('reactor run r.js --jq .raw', { cwd });
  expect(outside.stdout).toContain('##[error]four');
});

test('reactor test writes into the job summary what failed, in which no name becomes Markdown', async () => {
  const cases = [
    { name: 'a|<b>', args: {}, result: { raw: 2 } },
    { name: 'passes', args: {}, result: { raw: 1 } },
  ];
  const cwd = await projectDir({
    'a.js': 'module.exports = async () => ({ raw: 1 });\n',
    'a.test.json': JSON.stringify({ cases }),
  });
  const summary = join(cwd, 'summary.md');
  const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary };
  expect((await tokenctl('reactor test a.js', { cwd, env })).code).toBe(1);
  expect(await readFile(summary, 'utf8')).toBe(
    '### Reactor tests: 1 passed, 1 failed\n\n| reactor | case | |\n| --- | --- | --- |\n| a | a\\|&lt;b> | raw: expected 2, got 1 |\n\n',
  );
});
