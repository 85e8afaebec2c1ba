import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
// biome-ignore lint/style/noRestrictedImports: only the sources can keep fewer entries of the log.
import { startEmulator } from '../../../../emulator/index.js';
import type { Entry } from '../../../../emulator/store/store.js';
import { operationTools } from '../../../../src/cli/mcp/operation-tools.js';
import { callOperation } from '../../../../src/cli/mcp/tool-input.js';
import { createClient } from '../../../../src/client/index.js';
import { open, temporaryDataDir } from '../../../support/data-dir.js';
import { cleanEnvironment, EXECUTABLE, tokenctl } from '../../../support/executable.js';
import { retainLog } from '../../../support/log-retention.js';

const START = Date.UTC(2026, 10, 1);
const KEPT = 50;

function entry(tenantId: string, number: number): Entry {
  const what = { actor_type: 'system', entity_type: 'token', operation: 'read' } as const;
  const created_at = new Date(START + number).toISOString();
  return { insert: 'log', record: { id: randomUUID(), tenant_id: tenantId, ...what, created_at } };
}

async function fill(dataDir: string, tenantId: string): Promise<void> {
  const store = await open(dataDir, { durability: 'os' });
  store.record(Array.from({ length: KEPT }, (_, number) => entry(tenantId, number)));
  await store.close();
}

test('whoever lists the audit log is told when entries of the asked time may be gone', async () => {
  retainLog(KEPT);
  const dataDir = await temporaryDataDir();
  const first = await startEmulator({ dataDir, port: 0 }, { warmSandbox: false });
  await first.close();
  await fill(dataDir, first.tenant_id);
  const emulator = await startEmulator({ dataDir, port: 0 }, { warmSandbox: false });
  onTestFinished(() => emulator.close());
  const headers = { 'SVC-API-KEY': emulator.keys.management };
  const oldestOf = async (query: string) =>
    (await fetch(`${emulator.url}/logs?size=1${query}`, { headers })).headers.get('SVC-LOG-COMPLETE-FROM');
  const oldest = new Date(START).toISOString();
  expect(await oldestOf('')).toBe(oldest);
  expect(await oldestOf('&operation=read&start_date=2026-10-31')).toBe(oldest);
  expect(await oldestOf('&start_date=2026-11-01')).toBeNull();

  const env = { TOKENCTL_BASE_URL: emulator.url, TOKENCTL_API_KEY: emulator.keys.management };
  const list = async (since: string) =>
    (await tokenctl(['log', 'list', '--since', since, '--output', 'json'], { cwd: dirname(dataDir), env }))
      .stderr;
  expect(await list('2026-10-31')).toContain('Entries before 2026-11-01T00:00:00Z may be gone');
  expect(await list('2026-11-02')).not.toContain('gone');
  expect(await follow(dirname(dataDir), env)).toContain('may be gone');

  const client = createClient({ baseUrl: emulator.url, apiKey: emulator.keys.management });
  onTestFinished(() => client.close());
  const tool = operationTools(false).find(({ name }) => name === 'logs_list');
  expect(tool && (await callOperation(client, tool, { size: 1 }))).toMatchObject({
    notice: expect.stringContaining(`Entries before ${oldest} may be gone`),
  });
});

/** Follows the log until it has printed the first entry, and returns its messages. */
async function follow(cwd: string, env: Record<string, string>): Promise<string> {
  const args = [EXECUTABLE, 'log', 'list', '--follow', '--since', '2026-10-31', '-o', 'ndjson'];
  const command = spawn(process.execPath, args, { cwd, env: cleanEnvironment(cwd, env) });
  const messages = text(command.stderr);
  await once(command.stdout, 'data');
  command.kill('SIGINT');
  return messages;
}
