import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { displayWidth } from '../../../src/cli/output/text-width.js';
import { EXECUTABLE, scratchDir, tokenctl } from '../../support/executable.js';
import { type TestTarget, useSharedEmulator } from '../../support/shared-emulator.js';
import { openTerminal } from '../../support/terminal.js';
import { width } from '../../support/width.js';

const TABLES = [
  'token list',
  'token search "type: token"',
  'token get wide',
  'reactor list',
  'reactor get charge',
  'application list',
  'application who-can token:read --token-type card',
  'log list',
  'permission list',
  'tenant get',
  'usage',
  'profile list',
  'auth status',
  'auth can-i token:read reactor:create',
];
const EMULATOR_TABLES = [
  'emulator requests',
  'emulator logs',
  'emulator fault list',
  'emulator snapshot list',
  'emulator status',
];
const RULES = [
  {
    description: 'Support agents see the last four digits of cards',
    priority: 1,
    container: '/pci/high/',
    transform: 'mask',
    permissions: ['token:read', 'token:search', 'token:update', 'token:delete'],
  },
];
const END = '--- end of';

const code = `module.exports = async (req) => {\n\treturn { raw: '${'x'.repeat(300)}' };\n};\n`;
const cwd = scratchDir({ 'charge.js': code, 'rules.json': JSON.stringify(RULES) });
const emulator = useSharedEmulator({ dataDir: join(cwd, '.tokenctl'), memory: true });
let target: TestTarget;

beforeAll(async () => {
  target = await emulator.tenant();
  const run = async (command: string) => {
    const { code, stderr } = await tokenctl(command, { cwd, env: target.env });
    expect(code, stderr).toBe(0);
  };
  const data = JSON.stringify({ note: '表'.repeat(100), list: [{ a: 1 }], text: 'x y '.repeat(50) });
  const metadata = `--metadata customer=${'顧客'.repeat(60)} --metadata ${'k'.repeat(100)}=v`;
  await run(`token create --type token --data '${data}' --mask '{{ data }}' --id wide ${metadata}`);
  await run(`token create --type token --data 1 --id ${'i'.repeat(400)}`);
  await run(`reactor deploy charge.js --config ${'LONG_NAME_'.repeat(12)}=1 --config KEY=2`);
  await run("application create --name 'Unterstützung 表 👩‍💻' --type private --rules @rules.json");
  await run(`emulator fault add --path /${'nowhere'.repeat(30)} --status 500`);
  await run(`emulator snapshot save ${'s'.repeat(100)}`);
  await run(`profile add a-profile --base-url ${emulator.url}/${'path/'.repeat(30)}`);
});

/** Runs all commands in one terminal and returns the lines of each. */
async function printTables(columns: number, commands: readonly string[]): Promise<Map<string, string[]>> {
  const script = commands.map((one) => `"${process.execPath}" "${EXECUTABLE}" ${one}; echo '${END} ${one}'`);
  const terminal = openTerminal(`stty cols ${columns}; ${script.join('; ')}`, cwd, target.env);
  expect(await terminal.ended()).toBe(0);
  let rest = terminal.screen();
  return new Map(
    commands.map((one) => {
      const [text = '', ...more] = rest.split(`${END} ${one}\n`);
      rest = more.join('');
      return [one, text.split('\n')];
    }),
  );
}

describe.each(width([60], [60, 80, 120, 200]))('on a terminal of %i columns', (columns) => {
  test.each([
    { tables: 'table', commands: TABLES },
    { tables: 'table of the emulator', commands: EMULATOR_TABLES },
  ])('no line of any $tables is wider than the terminal', async ({ commands }) => {
    const tables = await printTables(columns, commands);
    for (const [command, lines] of tables) {
      expect([command, lines.length]).toEqual([command, expect.toSatisfy((count: number) => count > 2)]);
      const tooWide = lines.filter((line) => displayWidth(line) > columns);
      expect([command, ...tooWide]).toEqual([command]);
    }
  });
});

test('--wide shows whole cells, and output off a terminal is never cut', async () => {
  const wide = await printTables(60, ['token list --wide']);
  expect(wide.get('token list --wide')?.join('\n')).toContain('i'.repeat(400));
  const { stdout } = await tokenctl('token list -o table', { cwd, env: target.env });
  expect(stdout).toContain('i'.repeat(400));
});

test('examples of a help text fit 80 columns, and all lines but the commands are comments', async () => {
  const { stdout } = await tokenctl('reactor deploy --help', { cwd, env: target.env });
  const [, examples = ''] = /\nExamples:\n(.*?)\n\n(?=\S)/s.exec(stdout) ?? [];
  const lines = examples.split('\n').filter((line) => line !== '');
  expect(lines.length).toBeGreaterThan(2);
  for (const line of lines) expect(line).toMatch(/^ {2}(# |tokenctl ).{1,76}$/);
});

test('the help of the program is not wider than the terminal', async () => {
  const lines = (await printTables(60, ['--help'])).get('--help') ?? [];
  const end = lines.indexOf('Commands:');
  const prose = lines.slice(0, end).filter((line) => !line.startsWith('  '));
  expect(prose.filter((line) => displayWidth(line) > 60)).toEqual([]);
  expect(prose.join(' ')).toContain('then tokenctl auth login.');
});
