import type { Connection } from '../client/connection.js';
import { createHttpTransport } from '../client/http-transport.js';
import { isLoopback, type Transport } from '../client/transport.js';
import type { Settings } from './config/settings.js';
import { resolveDataDir } from './config/state-file.js';
import { requiredKey, resolveKeys, resolveTarget } from './config/target.js';
import { createInProcessTransport } from './emulator/in-process-transport.js';
import { dataKeySource, needsKey, openEmulator } from './emulator/launch.js';
import type { Output } from './output/output.js';

/** Opens a transport to a service, through the proxy of the environment if there is one. */
export async function openTransport(baseUrl: string, { proxies }: Settings): Promise<Transport> {
  // Like other programs, bypass the proxy for services on this machine.
  if ((!proxies.http && !proxies.https) || isLoopback(baseUrl)) return createHttpTransport(baseUrl);
  const { createProxyTransport } = await import('../client/proxy-transport.js');
  return createProxyTransport(baseUrl, proxies);
}

/** Connects to an emulator that it opens in this process, on the data directory of the settings. */
async function connectLocally(settings: Settings): Promise<Connection> {
  const dataDir = resolveDataDir(settings);
  const { headerPrefix } = settings;
  const emulator = await openEmulator({
    dataDir,
    purpose: 'tokenctl --local',
    rateLimit: false,
    ...(headerPrefix !== undefined && { headerPrefix }),
    ...((await needsKey(dataDir)) && { dataKey: await dataKeySource(settings, dataDir) }),
  });
  const keys = await resolveKeys(settings, { keys: emulator.keys });
  return {
    transport: createInProcessTransport(emulator, `local:${dataDir}`),
    headerPrefix,
    apiKey: (permission) => requiredKey(keys, permission, dataDir),
  };
}

/** Resolves target and keys from the settings and opens a connection. */
export async function connectTo(settings: Settings, output: Output): Promise<Connection> {
  if (settings.local) return connectLocally(settings);
  const target = await resolveTarget(settings);
  output.debug(`target ${target.baseUrl} (${target.source})`);
  const keys = await resolveKeys(settings, target);
  return {
    transport: await openTransport(target.baseUrl, settings),
    headerPrefix: settings.headerPrefix ?? target.headerPrefix,
    apiKey: (permission) => requiredKey(keys, permission, target.source),
  };
}
