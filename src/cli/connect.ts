import { type Client, createClient } from '../client/client.js';
import { type Connection, describeConnection } from '../client/connection.js';
import { createHttpTransport, type TlsOptions } from '../client/http-transport.js';
import { proxyOf, type Transport } from '../client/transport.js';
import { assertEncrypted } from './config/base-url.js';
import { requiredKey, resolveKeys } from './config/keys.js';
import type { Settings } from './config/settings.js';
import { resolveDataDir } from './config/state-file.js';
import { describeTarget, isLocalTarget, resolveTarget } from './config/target.js';
import { createInProcessTransport } from './emulator/in-process-client.js';
import { dataKeySource, openEmulator, withEmulator } from './emulator/launch.js';
import { declinedError, usageError } from './lib/errors.js';
import { USER_AGENT } from './lib/user-agent.js';
import type { Output } from './output/output.js';
import type { Prompts } from './prompts/prompts.js';

interface Terminal extends WriteGuardTerminal {
  output: Output;
}

/** Opens a transport, through the proxy of the environment if there is one. @throws {CliError} if a key would be sent in plain text */
export async function openTransport(
  baseUrl: string,
  settings: Settings,
  tls: TlsOptions = {},
): Promise<Transport> {
  assertEncrypted(baseUrl, settings);
  const proxy = proxyOf(baseUrl, settings.proxies);
  if (proxy === undefined) {
    const transport = await createHttpTransport(baseUrl, tls);
    // Idle connections do not keep the process running. To close one makes Node.js open stderr: goal S2.
    return { ...transport, close: async () => {} };
  }
  const { createProxyTransport } = await import('../client/proxy-transport.js');
  return createProxyTransport(baseUrl, proxy);
}

export function clientFor(
  { settings, signal }: { settings: Settings; signal: AbortSignal },
  connect: () => Promise<Connection>,
): Client {
  return createClient({ connect, timeoutMs: settings.timeoutMs, userAgent: USER_AGENT, signal });
}

const withSpinner = (transport: Transport, output: Output): Transport => ({
  ...transport,
  send: (request) => output.wait('Waiting for the service …', () => transport.send(request)),
});

async function connectLocally(settings: Settings, terminal: Terminal): Promise<Connection> {
  const dataDir = resolveDataDir(settings);
  const { headerPrefix } = settings;
  const emulator = await openEmulator({
    dataDir,
    purpose: 'tokenctl --local',
    rateLimit: false,
    ...(headerPrefix !== undefined && { headerPrefix }),
    ...((await withEmulator(({ needsKey }) => needsKey(dataDir))) && {
      dataKey: await dataKeySource(settings, dataDir),
    }),
  });
  const keys = await resolveKeys(settings, { keys: emulator.keys, acceptsEnvironmentKeys: true });
  const connection: Connection = {
    transport: createInProcessTransport(emulator, `local:${dataDir}`),
    headerPrefix,
    apiKey: (permission) => requiredKey(keys, permission, { source: dataDir }),
    name: `local ${dataDir}`,
    beforeWrite: createWriteGuard(() => describeConnection(connection), false, settings, terminal),
  };
  return connection;
}

export async function connectTo(settings: Settings, terminal: Terminal): Promise<Connection> {
  const { output } = terminal;
  if (isLocalTarget(settings)) return connectLocally(settings, terminal);
  const target = await resolveTarget(settings, output.warn);
  output.debug(`target ${target.baseUrl} (${target.source})`);
  const keys = await resolveKeys(settings, target);
  const { source, acceptsEnvironmentKeys } = target;
  const service = describeTarget(target);
  const connection: Connection = {
    transport: withSpinner(await openTransport(target.baseUrl, settings, target), output),
    headerPrefix: settings.headerPrefix ?? target.headerPrefix,
    apiKey: (permission) =>
      requiredKey(keys, permission, {
        source,
        service,
        name: target.name,
        withheld: !acceptsEnvironmentKeys,
      }),
    name: service,
    beforeWrite: createWriteGuard(() => describeConnection(connection), target.protected, settings, terminal),
  };
  return connection;
}

interface WriteGuardTerminal {
  output: Pick<Output, 'target'>;
  prompts: Pick<Prompts, 'interactive' | 'confirm'>;
}

/** Creates the check that runs once before the first write (cli.md, Target and credentials). Its argument: the user has already agreed. */
export function createWriteGuard(
  describe: () => string,
  isProtected: boolean,
  { yes }: Pick<Settings, 'yes'>,
  { output, prompts }: WriteGuardTerminal,
): (confirmed?: boolean) => Promise<void> {
  let checked: Promise<void> | undefined;

  async function check(confirmed: boolean): Promise<void> {
    const name = describe();
    if (isProtected && !yes && !confirmed) {
      if (!prompts.interactive)
        throw usageError(
          `Writing to ${name} requires --yes when prompts are disabled: its profile is protected.`,
        );
      if (!(await prompts.confirm({ message: `Write to ${name}?`, flag: '--yes' })))
        throw declinedError(`Nothing was written to ${name}.`);
    }
    output.target(`→ ${name}`);
  }

  return (confirmed = false) => {
    checked ??= check(confirmed);
    return checked;
  };
}
