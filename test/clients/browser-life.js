// Everything that a page does with the SDK. Bundled for the browser with each major of it in turn.
import { BasisTheory } from '@basis-theory/basis-theory-js';

const CARD = { number: '4242424242424242', expiration_month: 12, expiration_year: 2031 };
const CODE = 'module.exports = async (req) => ({ raw: { n: req.args.n } })';

/** Tokenizes with a field of the emulator: `window.card` is filled, then `pay` is called. */
globalThis.mountCard = async ({ url, apiBaseUrl, key }) => {
  const elementsClientUrl = `${url}/elements.js?global=BasisTheoryElements`;
  const sdk = await new BasisTheory().init(key, {
    apiBaseUrl,
    elements: true,
    elementsClientUrl,
    disableTelemetry: true,
  });
  const card = sdk.createElement('card');
  await card.mount('#card');
  globalThis.pay = async () => (await sdk.tokens.create({ type: 'card', data: card })).id;
};

globalThis.live = async ({ apiBaseUrl, keys, stub }) => {
  const clientOf = (key) => new BasisTheory().init(key, { apiBaseUrl, disableTelemetry: true });
  const [shop, server, admin] = await Promise.all([keys.public, keys.private, keys.management].map(clientOf));
  const done = {};

  const card = await shop.tokens.create({ type: 'card', data: CARD, metadata: { lot: 'a' } });
  done.masked = card.data.number;
  done.tokenized = Object.keys(await shop.tokenize({ first: 'Ada', card: { type: 'card', data: CARD } }));
  done.retrieved = (await server.tokens.retrieve(card.id)).data.number;
  await server.tokens.update(card.id, { metadata: { lot: 'b' } });
  done.listed = (await server.tokens.list({ metadata: { lot: 'b' } })).data.length;
  done.searched = (await server.tokens.search({ query: 'metadata.lot:b' })).pagination.totalItems;
  done.refused = await shop.tokens.retrieve(card.id).catch(({ status }) => status);

  const application = await admin.applications.create({
    name: 'a',
    type: 'private',
    permissions: ['token:use'],
  });
  done.application = (await admin.applications.retrieve(application.id)).name;
  await admin.applications.update(application.id, { name: 'b', permissions: ['token:use'] });
  done.applications = (await admin.applications.list({ id: application.id })).data.map(({ name }) => name);
  done.ownApplication = (await server.applications.retrieveByKey()).type;
  done.newKey = typeof (await admin.applications.regenerateKey(application.id)).key;
  await admin.applications.delete(application.id);
  done.permissions = (await admin.permissions.list()).length > 0;

  const reactor = await admin.reactors.create({ name: 'r', code: CODE });
  done.reaction = await server.reactors.react(reactor.id, { args: { n: 1 } });
  await admin.reactors.update(reactor.id, { name: 's', code: CODE });
  done.reactor = (await admin.reactors.retrieve(reactor.id)).name;
  done.reactors = (await admin.reactors.list({ name: 's' })).data.length;
  await admin.reactors.delete(reactor.id);

  const proxy = await admin.proxies.create({ name: 'p', destinationUrl: stub, requireAuth: true });
  const headers = { 'BT-PROXY-KEY': proxy.key };
  done.proxied = await server.proxy.post({
    headers,
    path: 'pay',
    body: { number: `{{ ${card.id} | json: '$.number' }}` },
  });
  await admin.proxies.update(proxy.id, { name: 'q', destinationUrl: stub, requireAuth: true });
  done.proxy = (await admin.proxies.retrieve(proxy.id)).name;
  await admin.proxies.delete(proxy.id);

  done.tenant = (await admin.tenants.retrieve()).id;
  done.usage = typeof (await admin.tenants.retrieveUsageReport()).tokenReport.monthlyActiveTokens;
  done.logs = (await admin.logs.list({ entityType: 'proxy' })).data.length > 0;
  await server.tokens.delete(card.id);
  done.gone = await server.tokens.retrieve(card.id).catch(({ status }) => status);
  return done;
};
