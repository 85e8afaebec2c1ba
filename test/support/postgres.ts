import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import { openPostgresStore } from '../../emulator/store/postgres/open-postgres-store.js';
import type { Store } from '../../emulator/store/store.js';
import { type Answer, type Call, call } from './call.js';
import { type EmulatorOptions, type RunningEmulator, startEmulator } from './emulator.js';
import { words } from './executable.js';

const ROOT = '/usr/lib/postgresql';
const USER = 'tokenctl';
/** A user who needs a password; the others need none. */
export const PASSWORD_USER = 'guarded';
const AUTHENTICATION = `host all ${PASSWORD_USER} 127.0.0.1/32 scram-sha-256
host all all 127.0.0.1/32 trust
host replication ${USER} 127.0.0.1/32 trust
`;

/** The newest installed version; undefined without one: what needs a server is then reported as not run. */
const binaries = (existsSync(ROOT) ? readdirSync(ROOT) : [])
  .sort((a, b) => Number(b) - Number(a))
  .map((version) => join(ROOT, version, 'bin'))
  .find((bin) => existsSync(join(bin, 'initdb')));

/** Whether a PostgreSQL server can be started. */
export const hasPostgres = binaries !== undefined;

/** PostgreSQL refuses to run as root. */
export function serverUser(): { uid: number; gid: number } | undefined {
  if (userInfo().uid !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** What a server shows to those who connect with TLS, PEM. */
export interface ServerCertificate {
  certificate: string;
  key: string;
}

/** A PostgreSQL server on a temporary directory. */
export class PostgresServer {
  readonly #directory: string;
  readonly #user = serverUser();
  readonly port: number;
  #process: ChildProcess | undefined;

  private constructor(
    directory: string,
    port: number,
    private readonly fsync: boolean,
  ) {
    this.#directory = directory;
    this.port = port;
  }

  /** Creates and starts a server, which ends with this process at the latest. With a certificate, it accepts TLS. */
  static async start({
    fsync = false,
    tls,
  }: {
    fsync?: boolean;
    tls?: ServerCertificate;
  } = {}): Promise<PostgresServer> {
    const server = await PostgresServer.#create(fsync);
    const directory = server.#directory;
    const flags = words(`-U ${USER} -A trust -E UTF8 --locale=C.UTF-8 --no-sync`);
    server.#run('initdb', ['-D', join(directory, 'data'), ...flags]);
    writeFileSync(join(directory, 'data/pg_hba.conf'), AUTHENTICATION);
    if (tls) {
      server.#writeCertificate(tls);
      appendFileSync(join(directory, 'data/postgresql.conf'), 'ssl = on\n');
    }
    await server.resume();
    return server;
  }

  /** Makes a directory for a server, which are gone when this process has ended. */
  static async #create(fsync: boolean): Promise<PostgresServer> {
    const directory = mkdtempSync(join(tmpdir(), 'tokenctl-postgres-'));
    const server = new PostgresServer(directory, await freePort(), fsync);
    if (server.#user) chownSync(directory, server.#user.uid, server.#user.gid);
    process.once('exit', () => {
      server.#process?.kill('SIGQUIT');
      rmSync(directory, { recursive: true, force: true });
    });
    return server;
  }

  /** Runs a program of the server's version as its user. */
  #run(program: string, args: readonly string[]): void {
    execFileSync(join(`${binaries}`, program), args, {
      stdio: 'ignore',
      cwd: this.#directory,
      ...this.#user,
    });
  }

  /** Starts a synchronous standby: a commit is acknowledged when that has it as well. */
  async startStandby(): Promise<PostgresServer> {
    const standby = await PostgresServer.#create(this.fsync);
    const source = words(`-h 127.0.0.1 -p ${this.port} -U ${USER}`);
    const flags = words('-R -X stream --checkpoint=fast --no-sync');
    standby.#run('pg_basebackup', [...source, '-D', join(standby.#directory, 'data'), ...flags]);
    await standby.resume();
    await this.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
    await this.query('SELECT pg_reload_conf()');
    const isSynchronous = "SELECT FROM pg_stat_replication WHERE sync_state = 'sync'";
    while ((await this.query(isSynchronous)).length === 0) await delay(50);
    return standby;
  }

  /** Shows another certificate to those who connect from now on, and ends the connections that there are. */
  async replaceCertificate(tls: ServerCertificate): Promise<void> {
    this.#writeCertificate(tls);
    await this.query('SELECT pg_reload_conf()');
    await this.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tokenctl'",
    );
  }

  #writeCertificate({ certificate, key }: ServerCertificate): void {
    const data = join(this.#directory, 'data');
    writeFileSync(join(data, 'server.crt'), certificate);
    writeFileSync(join(data, 'server.key'), key, { mode: 0o600 });
    if (this.#user) chownSync(join(data, 'server.key'), this.#user.uid, this.#user.gid);
  }

  /** Starts the server again after `stop`. */
  async resume(): Promise<void> {
    const options = [
      `fsync=${this.fsync ? 'on' : 'off'}`,
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${this.#directory}`,
    ];
    const settings = options.flatMap((option) => ['-c', option]);
    const args = ['-D', join(this.#directory, 'data'), '-p', String(this.port), ...settings];
    this.#process = spawn(
      'setpriv',
      // Ends with its parent, however that ends.
      ['--pdeathsig', 'SIGQUIT', '--', join(`${binaries}`, 'postgres'), ...args],
      { stdio: 'ignore', cwd: this.#directory, ...this.#user },
    );
    for (let tries = 0; !(await this.#isReady()); tries += 1) {
      if (tries > 1_200) throw new Error('PostgreSQL did not start.');
      await delay(50);
    }
  }

  /** @param how `fast` ends the connections; `crash` ends all processes at once */
  async stop(how: 'fast' | 'crash' = 'fast'): Promise<void> {
    const { exitCode } = this.#process ?? {};
    if (exitCode !== null) return;
    this.#process?.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await once(this.#process as ChildProcess, 'exit');
  }

  /**
   * Creates an empty database and returns its URL.
   * @param owner a user to create as well, with a password
   */
  async createDatabase(owner = USER, password?: string): Promise<string> {
    const name = `test_${randomUUID().replaceAll('-', '')}`;
    if (password !== undefined) await this.query(`CREATE ROLE ${owner} LOGIN PASSWORD '${password}'`);
    await this.query(`CREATE DATABASE ${name} OWNER ${owner}`);
    return this.#url(name, owner);
  }

  async query<Row extends object>(text: string, url = this.#url('postgres')): Promise<Row[]> {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  #url(database: string, user = USER): string {
    return `postgres://${user}@127.0.0.1:${this.port}/${database}`;
  }

  async #isReady(): Promise<boolean> {
    return this.query('SELECT').then(
      () => true,
      () => false,
    );
  }
}

let shared: Promise<PostgresServer> | undefined;

/** The server that the tests of a worker share, each with a database of its own. */
export function sharedPostgres(): Promise<PostgresServer> {
  shared ??= PostgresServer.start();
  return shared;
}

export const DATA_KEY = Buffer.alloc(32, 7);

/** Opens a store on an empty database of its own, or on the database with this URL. */
export async function openOnPostgres(
  url?: string,
  options: Pick<EmulatorOptions, 'statementTimeoutMs'> = {},
): Promise<Store> {
  const database = url ?? (await newDatabase());
  const { store } = await openPostgresStore({
    ...options,
    url: database,
    dataKey: async () => DATA_KEY,
    logger: { warn: () => {} },
  });
  return store;
}

export async function newDatabase(): Promise<string> {
  return (await sharedPostgres()).createDatabase();
}

/** Opens such a store until the test ends. */
export async function useOnPostgres(...[url, options]: Parameters<typeof openOnPostgres>): Promise<Store> {
  const store = await openOnPostgres(url, options);
  onTestFinished(() => store.close());
  return store;
}

/** The options of an emulator on an empty database of its own. */
export async function postgresOptions(): Promise<Pick<EmulatorOptions, 'storeUrl' | 'dataKey'>> {
  return { storeUrl: await newDatabase(), dataKey: async () => DATA_KEY };
}

/** Several emulators on one database, each with what it has in memory of its own. */
export class Fleet {
  readonly emulators: RunningEmulator[] = [];
  readonly #errors: string[] = [];
  readonly #options: EmulatorOptions;
  #requests = 0;

  private constructor(options: EmulatorOptions) {
    this.#options = options;
  }

  static async start(storeUrl: string, size = 3, options: EmulatorOptions = {}): Promise<Fleet> {
    const fleet = new Fleet({ storeUrl, rateLimit: false, ...options });
    // At the same time: the first one seeds the database.
    await Promise.all(Array.from({ length: size }, () => fleet.add()));
    return fleet;
  }

  /** Starts them until the test ends. */
  static async use(...options: Parameters<typeof Fleet.start>): Promise<Fleet> {
    const fleet = await Fleet.start(...options);
    onTestFinished(() => fleet.close());
    return fleet;
  }

  /** The errors that any of the emulators logged. */
  get errors(): readonly string[] {
    return this.#errors;
  }

  async add(): Promise<RunningEmulator> {
    const error = (message: string, cause?: unknown) => this.#errors.push(`${message}: ${String(cause)}`);
    const logger = { info: () => {}, warn: () => {}, error };
    const options = { port: 0, dataKey: async () => DATA_KEY, logger, ...this.#options };
    const emulator = await startEmulator(options, { warmSandbox: false });
    this.emulators.push(emulator);
    return emulator;
  }

  get first(): RunningEmulator {
    return this.on(0);
  }

  on(index: number): RunningEmulator {
    const emulator = this.emulators[index % this.emulators.length];
    if (!emulator) throw new Error('No emulator runs.');
    return emulator;
  }

  /** Sends a request to one emulator after the other. */
  call(method: string, path: string, options?: Call): Promise<Answer> {
    this.#requests += 1;
    return this.callOn(this.#requests, method, path, options);
  }

  callOn(index: number, method: string, path: string, options?: Call): Promise<Answer> {
    return call(this.on(index), method, path, options);
  }

  async scrape(index: number): Promise<string> {
    const { url, controlToken } = this.on(index);
    const headers = { authorization: `Bearer ${controlToken}` };
    return (await fetch(`${url}/_emulator/metrics`, { headers })).text();
  }

  async close(): Promise<void> {
    await Promise.all(this.emulators.map((emulator) => emulator.close()));
  }
}
