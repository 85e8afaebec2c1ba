import { PROXY_PATH } from '../../../../../src/contract/proxies.js';
import { RESOURCES } from '../../../../../src/contract/resources.js';
import type { Proxy as ProxyObject } from '../../../../../src/contract/schemas/index.js';
import { Command } from '../../components/text.js';
import { useService } from '../../hooks/emulator.js';
import type { ResourcePage } from './resource-page.js';
import { Definition } from './resource-views.js';

export const proxyPage: ResourcePage<ProxyObject> = {
  row: RESOURCES.proxy,
  command: 'tokenctl proxy create --name processor --destination-url http://127.0.0.1:4000',
  deletion: 'Requests with its key fail from then on.',
  Detail: ({ item }) => (
    <Definition page={proxyPage} item={item} more={[['Call it', <CurlCommand proxy={item} />]]} />
  ),
  form: {
    destination_url: {
      label: 'Destination URL',
      hint: 'https, or http to loopback. The path below /proxy is appended.',
    },
    application: { hint: 'Requests without an API key detokenize with its permissions.' },
    require_auth: { label: 'Requests need an API key' },
  },
};

function CurlCommand({ proxy }: { proxy: ProxyObject }) {
  const { apiKey, proxyKey } = useService().headers;
  const url = location.origin + PROXY_PATH;
  return <Command text={`curl ${url} -H "${apiKey}: $PRIVATE_KEY" -H "${proxyKey}: ${proxy.key}"`} />;
}
