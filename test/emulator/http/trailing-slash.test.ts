import { expect, test } from 'vitest';
import { OPERATION_IDS, operationRow } from '../../../src/contract/operations.js';
import { sendRequest } from '../../support/http-request.js';
import { useServer } from '../../support/test-server.js';

const server = useServer();

test('decisions.md: a path with a trailing slash is the path without it, for every operation', async () => {
  const key = await server.application({ type: 'private', permissions: [] });
  for (const id of OPERATION_IDS) {
    const { method, path, permission } = operationRow(id);
    const url = `${path.replace(/\{\w+\}/g, 'some-id')}/?page=1`;
    const { status } = await sendRequest(server.emulator.url, method, url, { 'svc-api-key': key });
    if (permission === null || permission === 'private') expect(status, id).not.toBe(404);
    else expect(status, id).toBe(403);
  }
});

test('a method that the path does not offer is 405, two slashes are another path', async () => {
  const headers = { 'svc-api-key': server.emulator.keys.private };
  const call = (method: string, path: string) => sendRequest(server.emulator.url, method, path, headers);
  expect((await call('DELETE', '/tokens/')).headers.allow).toBe('POST, GET');
  expect((await call('GET', '/tokens//')).status).toBe(404);
  expect((await call('GET', '/')).status).toBe(404);
});

test('an idempotency key counts for both paths', async () => {
  const create = async (path: string) => {
    const headers = {
      'svc-api-key': server.emulator.keys.private,
      'svc-idempotency-key': 'slash',
      'content-type': 'application/json',
    };
    const { body } = await sendRequest(
      server.emulator.url,
      'POST',
      path,
      headers,
      '{"type":"token","data":1}',
    );
    return body.id;
  };
  expect(await create('/tokens/')).toBe(await create('/tokens'));
});
