// Tests that fail, for what the kits say about them.
const CODE = `module.exports = async ({ args }) => {
  console.log('charging');
  await fetch('https://api.processor.example/charges', { method: 'POST', body: JSON.stringify(args) });
  throw new Error('no response');
};`;

async function react({ tenant, client }) {
  // The option of the configuration.
  const { headers } = await client.send('tokens.list');
  if (!headers['acme-trace-id'])
    throw new Error('The emulator does not have the options of the configuration.');
  const { reactors } = await tenant.seed({ reactors: [{ name: 'charge', code: CODE, configuration: {} }] });
  const invocation = { path: { id: reactors[0].id }, body: { args: { amount: 5 } } };
  await client.call('reactors.react', invocation).catch(() => {});
}

export const FAILING = {
  async 'a reactor throws'({ tenant, client }) {
    await tenant.outbound.respond({ host: 'api.processor.example' }, { status: 402 });
    await react({ tenant, client });
    throw new Error('the test failed');
  },
  async 'a request is unexpected'({ tenant, client }) {
    await tenant.outbound.respond({ host: 'api.processor.example', path: '/refunds' }, {});
    await react({ tenant, client });
  },
};
