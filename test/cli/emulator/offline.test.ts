import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { EXECUTABLE, projectDir, runProgram } from '../../support/executable.js';
import { ROOT } from '../../support/packed-package.js';
import { width } from '../../support/width.js';

/** Runs a command where there is no network but loopback. */
const OFFLINE = ['--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];
const isPossible = spawnSync('unshare', [...OFFLINE, 'true']).status === 0;

/** Prints what works: a page of the dashboard with all that it loads, a reactor, and tools of MCP. */
const STEPS = `
import { spawnSync } from 'node:child_process';
const { TOKENCTL_BASE_URL: url, TOKENCTL_MANAGEMENT_KEY, TOKENCTL_PRIVATE_KEY } = process.env;
const page = await fetch(url + '/_emulator/ui');
const loaded = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => fetch(new URL(path, page.url)));
console.log('dashboard', loaded.length > 0, (await Promise.all(loaded)).every(({ ok }) => ok));
const post = async (path, key, body) => {
  const headers = { 'SVC-API-KEY': key, 'content-type': 'application/json' };
  return (await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
};
const code = 'module.exports = async ({ args }) => ({ raw: args })';
const { id } = await post('/reactors', TOKENCTL_MANAGEMENT_KEY, { name: 'echo', code, configuration: {} });
console.log('reactor', JSON.stringify(await post(\`/reactors/\${id}/react\`, TOKENCTL_PRIVATE_KEY, { args: { a: 1 } })));
const request = (id, method, params) => JSON.stringify({ jsonrpc: '2.0', id, method, params }) + '\\n';
const client = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
const input = request(1, 'initialize', client) + request(2, 'tools/list', {});
const { stdout } = spawnSync(process.execPath, [process.argv[2], 'mcp'], { input });
console.log('mcp', stdout.toString().includes('"tools":['));`;

test.runIf(width(false, isPossible))(
  'a first start, the dashboard, reactors, MCP and the demo work without a network (needs unshare and ip)',
  async () => {
    const cwd = await projectDir({ 'steps.mjs': STEPS });
    const node = process.execPath;
    const exec = [node, EXECUTABLE, 'emulator', 'exec', '--', node, 'steps.mjs', EXECUTABLE];
    const ran = await runProgram('unshare', [...OFFLINE, ...exec], { cwd });
    expect(ran.stdout, ran.stderr).toBe('dashboard true true\nreactor {"raw":{"a":1}}\nmcp true\n');
    const demo = [node, '--import', 'tsx', 'test/demo/run.ts'];
    expect(await runProgram('unshare', [...OFFLINE, ...demo], { cwd: ROOT })).toMatchObject({ code: 0 });
  },
);
