// Tests that fail, for what the kits say about them.
async function react(client) {
  // The option of the configuration.
  const { headers } = await client.send('tokens.list');
  if (!headers['acme-trace-id'])
    throw new Error('The emulator does not have the options of the configuration.');
  const { data } = await client.call('reactors.list');
  const invocation = { path: { id: data[0].id }, body: { args: { amount: 5 } } };
  await client.call('reactors.react', invocation).catch(() => {});
}

export const FAILING = {
  async 'a reactor throws'({ tenant, client }) {
    await tenant.outbound.respond({ host: 'api.processor.example' }, { status: 402 });
    await react(client);
    throw new Error('the test failed');
  },
  async 'a request is unexpected'({ tenant, client }) {
    await tenant.outbound.respond({ host: 'api.processor.example', path: '/refunds' }, {});
    await react(client);
  },
};
