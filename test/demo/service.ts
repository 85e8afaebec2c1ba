import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { type ReadyProcess, startEmulatorProcess } from '../support/executable.js';
import { hasPostgres, PostgresServer } from '../support/postgres.js';
import { startLoadBalancer } from './load-balancer.js';

/** What the story runs against. */
interface Service {
  /** The environment of its commands. */
  env: Record<string, string>;
  /** What was started, to print. */
  started: string;
  /** Says at the end what served the story, and throws if a part of it did not. */
  summarize(): string;
  close(): Promise<unknown>;
}

const heading = (title: string, ...commands: string[]): string =>
  [styleText('bold', title), ...commands.map((command) => styleText('cyan', `  $ ${command}`))].join('\n');

/** Starts one emulator on a data directory. */
export async function startAlone(folder: string): Promise<Service> {
  const { base_url, end } = await startEmulatorProcess(['--data-dir', folder], { cwd: folder });
  return {
    env: { TOKENCTL_DATA_DIR: folder },
    started: `${heading('Start the emulator.', 'tokenctl emulator start --port 0')}\n    ready at ${base_url}`,
    summarize: () => '',
    close: () => end('SIGTERM'),
  };
}

/**
 * Starts two emulators on a PostgreSQL database of their own, behind a load balancer that sends each request to the other one.
 * @throws Error PostgreSQL is not installed
 */
export async function startFleet(folder: string): Promise<Service> {
  if (!hasPostgres)
    throw new Error('PostgreSQL is not installed here. On Debian: apt-get install postgresql');
  const server = await PostgresServer.start();
  const balancer = await startLoadBalancer();
  const store = await server.createDatabase();
  const env = { TOKENCTL_STORE: store, TOKENCTL_DATA_KEY: randomBytes(32).toString('base64') };
  const emulators: ReadyProcess[] = [];
  const close = async () => {
    await Promise.all(emulators.map(({ end }) => end('SIGTERM')));
    balancer.close();
    await server.stop();
  };
  try {
    for (const name of ['one', 'two']) {
      const flags = ['--data-dir', join(folder, name), '--public-url', balancer.url];
      emulators.push(await startEmulatorProcess(flags, { cwd: folder, env }));
    }
  } catch (error) {
    await close();
    throw error;
  }
  balancer.targets.push(...emulators.map(({ local_url, base_url }) => local_url ?? base_url));
  const command = `tokenctl emulator start --port 0 --store ${store} --public-url ${balancer.url}`;
  return {
    env: { TOKENCTL_DATA_DIR: join(folder, 'one'), TOKENCTL_BASE_URL: balancer.url },
    started: `${heading('Start two emulators on one database, behind a load balancer.', command, command)}\n    ready at ${balancer.targets.join(' and ')}`,
    summarize() {
      const shares = balancer.targets.map((target) => balancer.answered.get(target) ?? 0);
      if (shares.includes(0)) throw new Error('one of the emulators answered no request');
      return `The emulators answered ${shares.join(' and ')} requests in turn.`;
    },
    close,
  };
}
