import { spawnSync } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { EXECUTABLE, runProgram, scratchDir, tokenctl } from '../../support/executable.js';
import { startStub } from '../../support/http-server.js';
import { useSharedEmulator } from '../../support/shared-emulator.js';

const cwd = scratchDir({ 'card.json': '{}' });
const emulator = useSharedEmulator();
let env: Record<string, string>;

beforeAll(async () => {
  await mkdir(join(cwd, 'bin'));
  await symlink(EXECUTABLE, join(cwd, 'bin/tokenctl'));
  env = { ...(await emulator.tenant()).env, PATH: `${join(cwd, 'bin')}:${process.env.PATH}` };
  await tokenctl('token create --type token --data 1 --id customer-1042', { cwd, env });
  const code = 'module.exports = async () => ({})';
  await tokenctl(['reactor', 'create', '--name', 'charge card', '--code', code], { cwd, env });
});

const has = (shell: string): boolean => spawnSync('which', [shell]).status === 0;

/** What bash offers for a line: it splits the words, the script fills COMPREPLY. */
const BASH: Record<string, string[]> = {
  'tokenctl toke': ['token', 'token-intent', 'tokenize'],
  'tokenctl tenant settings ': ['get', 'set'],
  'tokenctl token up': ['update'],
  'tokenctl emulator requests ver': ['verify'],
  'tokenctl emulator requests verify --tim': ['--timeout', '--times'],
  'tokenctl token create --dedup': ['--deduplicate'],
  'tokenctl --output nd': ['ndjson'],
  'tokenctl token list --output=nd': ['ndjson'],
  'tokenctl token create --type us_bank_r': ['us_bank_routing_number'],
  'tokenctl auth can-i token:re': ['read'],
  'tokenctl token get cust': ['customer-1042'],
  'tokenctl token create --data @ca': ['@card.json'],
  'tokenctl completion f': ['fish'],
  'tokenctl token list --debug --no-c': ['--no-color'],
  // A name with a blank is quoted.
  'tokenctl reactor react ch': ['charge\\ card'],
};

test('bash offers the words of commands, flags, values, names and files', async () => {
  const lines = Object.keys(BASH);
  // As readline does it: words are split at blanks, and at = and : as well.
  const split = (line: string) => [
    ...(line.match(/[=:]+|[^\s=:]+/g) ?? []),
    ...(/\s$/.test(line) ? [''] : []),
  ];
  const quoted = (text: string) => `'${text}'`;
  const steps = lines.map((line) => {
    const words = split(line);
    return `COMP_LINE=${quoted(line)}; COMP_POINT=\${#COMP_LINE}; COMP_WORDS=(${words.map(quoted).join(' ')})
      COMP_CWORD=${words.length - 1}; COMPREPLY=(); _tokenctl; printf '%s\n' "\${COMPREPLY[@]}"; echo ---`;
  });
  const script = ['source <(tokenctl completion bash)', ...steps].join('\n');
  const { stdout, stderr } = await runProgram('bash', ['-c', script], { cwd, env });
  expect(stderr).toBe('');
  const offers = stdout.split('---\n').map((part) => part.split('\n').filter(Boolean));
  expect(Object.fromEntries(lines.map((line, at) => [line, offers[at]]))).toEqual(BASH);
});

test('the offered words are empty, with nothing on stderr, when the service cannot be reached', async () => {
  const ran = await tokenctl(['__complete', 'zsh', '--', 'token', 'get', ''], {
    cwd,
    env: { TOKENCTL_BASE_URL: 'http://127.0.0.1:9', TOKENCTL_API_KEY: 'k' },
  });
  expect(ran).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('the offered words have neither control characters nor marks of direction, whatever a service sends', async () => {
  const hostile = { id: 'a', name: 'one\u001b[2J\u009b31m\u202e\u2066\u061c\u2028two' };
  const stub = await startStub({
    body: { data: [hostile, { id: 'b', name: {} }], pagination: { total_items: 2 } },
  });
  const words = ['__complete', 'zsh', '--', 'reactor', 'get', ''];
  const ran = await tokenctl(words, { cwd, env: { TOKENCTL_BASE_URL: stub.url, TOKENCTL_API_KEY: 'k' } });
  expect(ran).toEqual({ code: 0, stdout: 'one [2J 31m two\ta\n', stderr: '' });
});

test.each([
  ['proxy', ['--destination-url', 'http://127.0.0.1:9/']],
  ['webhook', ['--url', 'http://127.0.0.1:9/', '--event', '*']],
])('the offered words are the names of every resource: %s', async (noun, flags) => {
  await tokenctl([noun, 'create', '--name', `a ${noun}`, ...flags], { cwd, env });
  const { stdout } = await tokenctl(['__complete', 'zsh', '--', noun, 'get', ''], { cwd, env });
  expect(stdout).toMatch(new RegExp(`^a ${noun}\t[0-9a-f-]{36}\n$`));
});

test.skipIf(!has('zsh'))('the completion scripts of other shells load in zsh (needs zsh)', async () => {
  const script = 'autoload -U compinit; compinit -u; source <(tokenctl completion zsh); whence -w _tokenctl';
  const { stdout, stderr } = await runProgram('zsh', ['-fc', script], { cwd, env });
  expect([stdout.trim(), stderr]).toEqual(['_tokenctl: function', '']);
});

test.skipIf(!has('fish'))('the completion scripts of other shells load in fish (needs fish)', async () => {
  const script = "tokenctl completion fish | source; complete -C 'tokenctl token get cust'";
  const { stdout } = await runProgram('fish', ['-c', script], { cwd, env });
  expect(stdout).toContain('customer-1042');
});

test.skipIf(!has('pwsh'))('the completion scripts of other shells load in PowerShell (pwsh)', async () => {
  const script =
    "tokenctl completion powershell | Out-String | Invoke-Expression; (TabExpansion2 'tokenctl token get cust' 24).CompletionMatches.CompletionText";
  const { stdout } = await runProgram('pwsh', ['-NoProfile', '-Command', script], { cwd, env });
  expect(stdout).toContain('customer-1042');
});
