import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { hasPostgres, PostgresServer } from '../support/postgres.js';
import { startLoadBalancer } from './load-balancer.js';
import { type Environment, type RunningProcess, startEmulator } from './processes.js';

/** What the story runs against. */
interface Service {
  /** The environment of its commands. */
  env: Environment;
  /** What was started, to print. */
  started: string;
  /** Says at the end what served the story, and throws if a part of it did not. */
  summarize(): string;
  close(): Promise<void>;
}

const heading = (title: string, ...commands: string[]): string =>
  [styleText('bold', title), ...commands.map((command) => styleText('cyan', `  $ ${command}`))].join('\n');

/** Starts one emulator on a data directory. */
export async function startAlone(env: Environment, dataDir: string): Promise<Service> {
  const { baseUrl, stop } = await startEmulator(['--data-dir', dataDir], env);
  return {
    env: { ...env, TOKENCTL_DATA_DIR: dataDir },
    started: `${heading('Start the emulator.', 'tokenctl emulator start --port 0')}\n    ready at ${baseUrl}`,
    summarize: () => '',
    close: stop,
  };
}

/**
 * Starts two emulators on a PostgreSQL database of their own, behind a load balancer that sends each request to the other one.
 * @throws Error PostgreSQL is not installed
 */
export async function startFleet(env: Environment, folder: string): Promise<Service> {
  if (!hasPostgres)
    throw new Error('PostgreSQL is not installed here. On Debian: apt-get install postgresql');
  const server = await PostgresServer.start();
  const balancer = await startLoadBalancer();
  const fleetEnv = {
    ...env,
    TOKENCTL_STORE: await server.createDatabase(),
    TOKENCTL_DATA_KEY: randomBytes(32).toString('base64'),
  };
  const dataDirs = ['one', 'two'].map((name) => join(folder, name));
  const emulators: RunningProcess[] = [];
  const close = async () => {
    await Promise.all(emulators.map(({ stop }) => stop()));
    balancer.close();
    await server.stop();
  };
  try {
    for (const dataDir of dataDirs)
      emulators.push(await startEmulator(['--data-dir', dataDir, '--public-url', balancer.url], fleetEnv));
  } catch (error) {
    await close();
    throw error;
  }
  balancer.targets.push(...emulators.map(({ localUrl }) => localUrl));
  const command = `tokenctl emulator start --port 0 --store ${fleetEnv.TOKENCTL_STORE} --public-url ${balancer.url}`;
  return {
    env: { ...env, TOKENCTL_DATA_DIR: dataDirs[0], TOKENCTL_BASE_URL: balancer.url },
    started: `${heading('Start two emulators on one database, behind a load balancer.', command, command)}\n    ready at ${balancer.targets.join(' and ')}`,
    summarize() {
      const shares = balancer.targets.map((target) => balancer.answered.get(target) ?? 0);
      if (shares.includes(0)) throw new Error('one of the emulators answered no request');
      return `The emulators answered ${shares.join(' and ')} requests in turn.`;
    },
    close,
  };
}
