import type { Connection } from '../client/connection.js';
import { createHttpTransport } from '../client/http-transport.js';
import { isLoopback, type Transport } from '../client/transport.js';
import type { Settings } from './config/settings.js';
import { dataDirOf } from './config/state-file.js';
import { requiredKey, resolveKeys, resolveTarget } from './config/target.js';
import type { Output } from './output/output.js';

export async function openTransport(baseUrl: string, { proxies }: Settings): Promise<Transport> {
  // As with other programs, what runs on this machine is reached directly.
  if ((!proxies.http && !proxies.https) || isLoopback(baseUrl)) return createHttpTransport(baseUrl);
  const { createProxyTransport } = await import('../client/proxy-transport.js');
  return createProxyTransport(baseUrl, proxies);
}

/** The emulator in this process, on the data directory: the same code without the network. */
async function connectLocally(settings: Settings): Promise<Connection> {
  const { dataKeyOf, localTransport, needsKey, openEmulator } = await import('./emulator/launch.js');
  const dataDir = dataDirOf(settings);
  const { headerPrefix } = settings;
  const emulator = await openEmulator({
    dataDir,
    purpose: 'tokenctl --local',
    rateLimit: false,
    ...(headerPrefix !== undefined && { headerPrefix }),
    ...((await needsKey(dataDir)) && { dataKey: await dataKeyOf(settings, dataDir) }),
  });
  const keys = await resolveKeys(settings, { keys: emulator.keys });
  return {
    transport: localTransport(emulator, `local:${dataDir}`),
    headerPrefix,
    apiKey: (permission) => requiredKey(keys, permission, dataDir),
  };
}

/** Finds target and keys as the settings say, and opens the way there. */
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
