import { expect } from 'vitest';
import * as z from 'zod';
import { CONTROL_IDS, controlEndpoint } from '../../src/contract/control/endpoints.js';
import { schemasOf } from '../../src/contract/control/schemas.js';
import type { Answer } from './call.js';
import type { TestServer } from './test-server.js';

type ControlMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Calls control endpoints with the control token; a success must be what the contract says of the endpoint. */
export function controlOf(server: TestServer) {
  const call = async (method: ControlMethod, path: string, body?: unknown): Promise<Answer> => {
    const answer = await server.call(method, `/_emulator${path}`, {
      key: null,
      headers: { authorization: `Bearer ${server.emulator.controlToken}` },
      ...(body !== undefined && { body }),
    });
    if (answer.status < 400) expectEndpoint(method, path, answer);
    return answer;
  };
  return {
    get: (path: string) => call('GET', path),
    post: (path: string, body?: unknown) => call('POST', path, body),
    put: (path: string, body?: unknown) => call('PUT', path, body),
    delete: (path: string) => call('DELETE', path),
  };
}

function expectEndpoint(method: ControlMethod, path: string, { status, body }: Answer): void {
  const [bare = ''] = path.split('?');
  const id = CONTROL_IDS.find((one) => {
    const row = controlEndpoint(one);
    return row.method === method && new RegExp(`^${row.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(bare);
  });
  if (id === undefined) throw new Error(`${method} ${path} is not in the table of control endpoints.`);
  expect(status).toBe(controlEndpoint(id).success);
  const parsed = z.safeParse(schemasOf(id).response, body);
  expect(parsed.error?.issues ?? [], `${method} ${path}: the body of ${status}`).toEqual([]);
}
