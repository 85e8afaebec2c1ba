import type { Client, ClientConfig, Pool, PoolClient } from 'pg';
import { StartError } from '../../lib/start-error.js';

/** Milliseconds that connecting may take. */
const CONNECT_TIMEOUT_MS = 5_000;
/** Connections that queries share. */
const POOLED_CONNECTIONS = 10;
/** The server ends a transaction whose client is silent for this time, so that a lost client blocks no other. */
const IDLE_IN_TRANSACTION_MS = 10_000;

/**
 * Checks the URL of a database.
 * @throws StartError it is not a PostgreSQL URL, or holds a password. The message never repeats it.
 */
export function checkStoreUrl(url: string): void {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^postgres(ql)?:$/.test(parsed.protocol)) {
    throw new StartError(
      'invalid_store_url',
      'The store must be a URL such as postgres://user@host:5432/database',
    );
  }
  if (parsed.password !== '' || parsed.searchParams.has('password')) {
    throw new StartError(
      'password_in_store_url',
      'The URL of the store must not contain a password: process lists and logs would show it',
    );
  }
}

/** Opens connections to one database. Loads the driver with the first one. */
export class Database {
  readonly #config: ClientConfig;
  /** `host:port/database`, for messages. */
  readonly name: string;

  /** @throws StartError the URL is not valid */
  constructor(url: string) {
    checkStoreUrl(url);
    const { host, pathname } = new URL(url);
    this.name = `${host || 'localhost'}${pathname}`;
    this.#config = {
      connectionString: url,
      application_name: 'tokenctl',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    };
  }

  /** Connects for transactions. The caller ends the connection. */
  async connect(): Promise<Client> {
    const { Client } = await import('pg');
    const client = new Client({
      ...this.#config,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    });
    // A connection that is lost while nothing is asked of it: the next query fails.
    client.on('error', () => {});
    try {
      await client.connect();
    } catch (error) {
      // The driver leaves the connection open when it cannot authenticate.
      void client.end().catch(() => {});
      throw error;
    }
    return client;
  }

  /** Opens a pool of connections for queries; each connects when it is first needed. */
  async openPool(): Promise<Pool> {
    const { Pool } = await import('pg');
    const pool = new Pool({ ...this.#config, max: POOLED_CONNECTIONS });
    pool.on('error', () => {});
    return pool;
  }

  /**
   * Connects for a start.
   * @throws StartError with what can be done about it
   */
  async connectAtStart(): Promise<Client> {
    try {
      return await this.connect();
    } catch (error) {
      throw this.startError(error);
    }
  }

  /** Explains why the database could not be opened. */
  startError(cause: unknown): Error {
    if (cause instanceof StartError) return cause;
    const { code, message } = cause as { code?: string; message: string };
    if (code === '28P01' || code === '28000' || message.includes('password must be a string')) {
      return new StartError('store_access_denied', `The database ${this.name} refused the user or password`, {
        cause,
      });
    }
    if (code === '42501') {
      return new StartError(
        'store_permission_missing',
        `The user may not create the schema "tokenctl" in the database ${this.name}`,
        { cause },
      );
    }
    if (code === '3D000') {
      return new StartError('store_missing', `The database ${this.name} does not exist`, { cause });
    }
    const reason = code ?? message;
    return new StartError('store_unreachable', `The database ${this.name} cannot be opened: ${reason}`, {
      cause,
    });
  }
}

/** What queries are sent to. */
export type Queryable = Pick<Pool | PoolClient | Client, 'query'>;
