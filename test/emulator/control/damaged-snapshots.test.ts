import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checksum } from '../../../emulator/store/files/checksum.js';
import { scratchDir } from '../../support/executable.js';
import { controlOf, useServer } from '../../support/test-server.js';

const dataDir = scratchDir();
const server = useServer({ dataDir });
const control = controlOf(server);

/** Changes the content of a snapshot's file, and writes a valid checksum. */
function withContent(file: string, change: (text: string) => string): string {
  const content = change(file.slice(file.indexOf('\n') + 1));
  return `${JSON.stringify({ sum: checksum(content) })}\n${content}`;
}

const cut = (text: string, lines: number) => `${text.split('\n').slice(0, lines).join('\n')}\n`;

test.each([
  ['is empty', () => '', 'line 1: it is not a JSON object'],
  ['is not text', () => '\u0000\u0001', 'line 1: it is not a JSON object'],
  ['is other JSON', () => '{"a":1}\n', 'line 1: it is not the head of a snapshot of format 1'],
  ['has another format', (text: string) => text.replace('"format":1', '"format":2'), 'of format 1'],
  ['lacks its head', (text: string) => text.slice(text.indexOf('\n') + 1), 'line 1: it is not the head'],
  ['ends after its head', (text: string) => cut(text, 1), 'line 1: it promises 1 tokens, and there are 0'],
  [
    'ends within a line',
    (text: string) => text.slice(0, text.indexOf('\n') + 40),
    'line 2: it is not a JSON',
  ],
  [
    'has a line that is not a record',
    (text: string) => `${cut(text, 1)}{"insert":"x"}\n`,
    'line 2: it is not a rec',
  ],
  ['has records twice', (text: string) => text + cut(text, 2).slice(cut(text, 1).length), 'have the same id'],
])('a snapshot that %s is refused by name, and nothing changes', async (_what, change, message) => {
  await control.post('/reset');
  await server.post('/tokens', { id: 'saved', type: 'token', data: 1 });
  for (const name of ['damaged', 'whole']) await control.post('/snapshots', { name });
  await server.post('/tokens', { id: 'later', type: 'token', data: 1 });
  const path = join(dataDir, 'snapshots', 'damaged.jsonl');
  await writeFile(path, withContent(await readFile(path, 'utf8'), change));
  const { status, body } = await control.post('/snapshots/damaged/restore');
  expect([status, body.title, body.detail]).toEqual([
    500,
    'Storage Damaged',
    expect.stringContaining(message),
  ]);
  expect(body.detail).toMatch(/^snapshot damaged, line \d+: .*Nothing was changed/);
  for (const id of ['saved', 'later']) expect((await server.get(`/tokens/${id}`)).status).toBe(200);
  const names = (await control.get('/snapshots')).body.snapshots.map(({ name }: { name: string }) => name);
  expect(names).toContain('whole');
  expect((await control.post('/snapshots/whole/restore')).status).toBe(204);
});

test('a snapshot whose file was changed is refused', async () => {
  await control.post('/snapshots', { name: 'changed' });
  const path = join(dataDir, 'snapshots', 'changed.jsonl');
  await writeFile(path, (await readFile(path, 'utf8')).replace('tenants', 'tenant5'));
  const { status, body } = await control.post('/snapshots/changed/restore');
  expect([status, body.title]).toEqual([500, 'Storage Damaged']);
});

test('a directory in the place of a snapshot is neither replaced nor restored, and the other snapshots are listed', async () => {
  await control.post('/snapshots', { name: 'whole' });
  await mkdir(join(dataDir, 'snapshots', 'directory.jsonl'));
  for (const answer of [
    await control.post('/snapshots', { name: 'directory' }),
    await control.post('/snapshots/directory/restore'),
  ]) {
    expect(answer.status).toBe(500);
    expect(answer.body.detail).toMatch(/it is a directory\. Nothing was changed\./);
  }
  const names = (await control.get('/snapshots')).body.snapshots.map(({ name }: { name: string }) => name);
  expect(names).toContain('whole');
  expect(names).not.toContain('directory');
});
