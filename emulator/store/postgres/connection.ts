import type { Client, ClientConfig, Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import { StartError } from '../../lib/start-error.js';
import { databaseError, isLostConnection, startError } from './errors.js';

const CONNECT_TIMEOUT_MS = 5_000;
/** Milliseconds that a statement may take. Then its connection counts as lost: a server that hangs never says so. */
const STATEMENT_TIMEOUT_MS = 30_000;
/** The same for statements whose work grows with what is stored: clears, imports, snapshots. */
export const LONG_STATEMENT_TIMEOUT_MS = 600_000;
/** The same, at least, for statements of a start, which may wait for another process that migrates. */
const START_STATEMENT_TIMEOUT_MS = 60_000;
/** Milliseconds after which the server ends a statement that the emulator has given up: until then it may hold locks. */
const SERVER_MARGIN_MS = 2_000;
/** Milliseconds of silence after which the system asks whether the other host is still there. By default it takes two hours. */
const KEEP_ALIVE_DELAY_MS = 10_000;
const END_TIMEOUT_MS = 2_000;
/** Milliseconds for which a commit waits for those of other processes. */
const LOCK_TIMEOUT_MS = 10_000;
/** Connections that queries share, and as many that commits do. */
const POOLED_CONNECTIONS = 10;
/** The server ends a transaction whose client is silent for this time, so that a lost client blocks no other. */
const IDLE_IN_TRANSACTION_MS = 10_000;

/**
 * The statement that sets up a connection: PgBouncer refuses those that begin with settings. Every statement finds its rows by an
 * index, in the order of a list if it has one. The server, which cannot know how few it needs of them, would rather join whole
 * tables, and keep a plan that it made while they were small. Goal P1: 0.07 → 0.18; goal G1: a filter on a type took 9 s.
 */
const settings = (statementTimeoutMs: number): string => `
  SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;
  SET max_parallel_workers_per_gather = 0; SET jit = off;
  SET synchronous_commit = on;
  SET idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS};
  SET statement_timeout = ${statementTimeoutMs + SERVER_MARGIN_MS}`;

/** Accepted values of `sslmode`: those of the driver. */
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/** Parses the URL of a database. @throws StartError it is not valid or holds a password; the message never repeats it */
function parseStoreUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^postgres(ql)?:$/.test(parsed.protocol)) {
    const scheme = /^([a-z][a-z+]*):\/\//i.exec(url)?.[1];
    throw new StartError(
      'invalid_store_url',
      `The store must be a URL such as postgres://user@host:5432/database${scheme === undefined ? '' : `, not ${scheme}://…`}.`,
    );
  }
  if (parsed.password !== '' || parsed.searchParams.has('password'))
    throw new StartError(
      'password_in_store_url',
      'The URL of the store must not contain a password: process lists and logs would show it.',
    );
  const mode = parsed.searchParams.get('sslmode');
  if (mode !== null && !SSL_MODES.includes(mode))
    throw new StartError(
      'invalid_store_url',
      `sslmode in the URL of the store must be one of ${SSL_MODES.join(', ')}.`,
    );
  // The driver checks as much for all of them, but warns that a later version will not.
  if (mode === 'prefer' || mode === 'require' || mode === 'verify-ca')
    parsed.searchParams.set('sslmode', 'verify-full');
  return parsed;
}

async function loadDriver(): Promise<Pick<typeof import('pg'), 'Client' | 'Pool'>> {
  const { Client, Pool } = await import('pg');
  class StoreClient extends Client {
    constructor(config?: ClientConfig) {
      super(config);
      // A connection may be lost while it is made, used, idle or ended, and is reported more than once. What is asked of it
      // fails by itself; without a listener, the process would end.
      this.on('error', () => {});
      // Without a password, asks for it here: the driver reads the password file too, but warns that it will not for long.
      if (!this.password) Object.assign(this, { password: readPasswordFile });
    }
  }
  return { Client: StoreClient, Pool };
}

/** Returns the password that `~/.pgpass`, or the file that `PGPASSFILE` names, has for a connection. */
async function readPasswordFile(connection: object): Promise<string | undefined> {
  const { default: findPassword } = await import('pgpass');
  return new Promise((resolve) => findPassword(connection, resolve));
}

/** Opens connections to one database. Loads the driver with the first one. */
export class Database {
  readonly #config: ClientConfig;
  /** `host:port/database`, for messages. */
  readonly name: string;

  /** @param statementTimeoutMs that a statement may take once the store is open @throws StartError the URL is not valid */
  constructor(
    url: string,
    private readonly statementTimeoutMs = STATEMENT_TIMEOUT_MS,
  ) {
    const parsed = parseStoreUrl(url);
    this.name = `${parsed.searchParams.get('host') ?? (parsed.host || 'localhost')}${parsed.pathname}`;
    this.#config = {
      connectionString: parsed.href,
      application_name: 'tokenctl',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
      pipeline: true,
    };
  }

  /** Opens a pool of connections; each connects when it is first needed. */
  async openPool(): Promise<Pool> {
    const { Client, Pool } = await loadDriver();
    const timeoutMs = this.statementTimeoutMs;
    const pool = new Pool({
      Client,
      ...this.#config,
      query_timeout: timeoutMs,
      max: POOLED_CONNECTIONS,
      // A server that hangs closes no connection when the pool ends.
      allowExitOnIdle: true,
      onConnect: (client) => client.query(`${settings(timeoutMs)}; SET lock_timeout = ${LOCK_TIMEOUT_MS}`),
    });
    pool.on('error', () => {});
    return pool;
  }

  /** Lends a connection to a start, whose statements may wait for those of another one. @throws StartError */
  async atStart<T>(task: (client: Client) => Promise<T>): Promise<T> {
    const { Client } = await loadDriver();
    const timeoutMs = Math.max(this.statementTimeoutMs, START_STATEMENT_TIMEOUT_MS);
    let client: Client | undefined;
    try {
      client = new Client({ ...this.#config, query_timeout: timeoutMs });
      await client.connect();
      await client.query(settings(timeoutMs));
      return await task(client);
    } catch (error) {
      throw startError(error, `database ${this.name}`);
    } finally {
      if (client) await endConnection(client);
    }
  }
}

/** Ends a connection. A server that hangs, or a host that is gone, never closes it: then it is destroyed. */
async function endConnection(client: Client): Promise<void> {
  setTimeout(() => client.connection.stream.destroy(), END_TIMEOUT_MS).unref();
  await client.end().catch(() => {});
}

export type Statement = string | QueryConfig;

/** Sends statements in one message and returns their results. @throws the error of the first one that failed */
export async function sendTogether(client: Client, statements: readonly Statement[]): Promise<QueryResult[]> {
  const { stream } = client.connection;
  stream.cork();
  const sent = statements.map((statement) => client.query(statement));
  stream.uncork();
  const settled = await Promise.allSettled<QueryResult | QueryResult[]>(sent);
  return settled.flatMap((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

/** Gives statements of a transaction that has begun as much time as some may need whose work grows with what is stored. */
export function unhurried(statements: readonly Statement[]): Statement[] {
  return [
    `SET LOCAL statement_timeout = ${LONG_STATEMENT_TIMEOUT_MS + SERVER_MARGIN_MS}`,
    ...statements.map((statement) => ({
      query_timeout: LONG_STATEMENT_TIMEOUT_MS,
      ...(typeof statement === 'string' ? { text: statement } : statement),
    })),
  ];
}

/** Does work, again if it found that the connection was lost while it was idle. */
export const withLiveConnection = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch((error) => {
    if (!isLostConnection(error)) throw error;
    return work();
  });

/** Queries a database. @throws StoreUnavailableError | StorageError */
export function query<Row extends object>(pool: Pool, config: QueryConfig): Promise<QueryResult<Row>> {
  return withLiveConnection(() => pool.query<Row>(config)).catch((error) => {
    throw databaseError(error);
  });
}

/** Lends a connection of a pool to a task, which leaves none of its statements open. @throws StoreUnavailableError | StorageError */
export async function withConnection<T>(pool: Pool, task: (client: PoolClient) => Promise<T>): Promise<T> {
  let client: PoolClient | undefined;
  try {
    client = await pool.connect();
    const result = await task(client);
    client.release();
    return result;
  } catch (error) {
    // Destroyed in the middle of its transaction.
    client?.release(true);
    throw databaseError(error);
  }
}
