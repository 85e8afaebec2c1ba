import type { Answer, TestServer } from './test-server.js';

/** Calls of the control endpoints, with the control token. */
export function controlOf(server: TestServer) {
  const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<Answer> =>
    server.call(method, `/_emulator${path}`, {
      key: null,
      headers: { authorization: `Bearer ${server.emulator.controlToken}` },
      ...(body !== undefined && { body }),
    });
  return {
    get: (path: string) => call('GET', path),
    post: (path: string, body?: unknown) => call('POST', path, body),
    put: (path: string, body?: unknown) => call('PUT', path, body),
    delete: (path: string) => call('DELETE', path),
  };
}
