import { expect, test } from 'vitest';
import { type FileSystem, nodeFileSystem } from '../../../emulator/store/files/file-system.js';
import { scratchDir } from '../../support/executable.js';
import { useServer } from '../../support/test-server.js';

const disk = { isFull: false };
const files: FileSystem = {
  ...nodeFileSystem,
  async write(...args) {
    if (disk.isFull) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    return nodeFileSystem.write(...args);
  },
};
const server = useServer({ dataDir: scratchDir(), files });

// Fault: request | full disk | disk
test('decisions, status codes: a full disk answers 507 to writes, reads go on, and it recovers by itself', async () => {
  const body = { type: 'token', data: 'x' };
  const { id } = (await server.post('/tokens', body)).body;
  disk.isFull = true;
  const refused = await server.post('/tokens', body);
  expect([refused.status, refused.body.title]).toEqual([507, expect.any(String)]);
  expect((await server.patch(`/tokens/${id}`, { data: 'y' })).status).toBe(507);
  expect((await server.call('DELETE', `/tokens/${id}`)).status).toBe(507);
  expect((await server.get(`/tokens/${id}`)).body.data).toBe('x');
  expect((await server.get('/tokens')).body.pagination.total_items).toBe(1);
  disk.isFull = false;
  expect((await server.post('/tokens', body)).status).toBe(201);
});
