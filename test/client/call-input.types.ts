import type { Client } from '../../src/client/index.js';

/** Never runs. The type check fails when one of the lines that expect an error compiles. */
export function inputTypes(client: Client): void {
  void client.call('tenants.get');
  void client.call('tokens.list', { query: { page: 1, type: 'card', metadata: { order: '1' } } });
  void client.call('tokens.create', { body: { type: 'token', data: 1 } });

  // @ts-expect-error an unknown query parameter
  void client.call('tokens.list', { query: { pages: 1 } });
  // @ts-expect-error a query where the operation has none
  void client.call('tokens.get', { path: { id: 'one' }, query: { page: 1 } });
  // @ts-expect-error an unknown property of the body
  void client.call('tokens.create', { body: { type: 'card', data: {}, masks: 1 } });
  // @ts-expect-error an unknown property inside the body
  void client.call('tenants.update', { body: { name: 'a', settings: { dedupe: 'true' } } });
  // @ts-expect-error a body where the operation has none
  void client.call('tokens.get', { path: { id: 'one' }, body: {} });
  // @ts-expect-error no body where the operation needs one
  void client.call('tokens.create');
  // @ts-expect-error an unknown path parameter
  void client.call('tokens.get', { path: { id: 'one', name: 'two' } });
}
