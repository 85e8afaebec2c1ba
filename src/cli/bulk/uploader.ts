import type { Client } from '../../client/client.js';
import { ProtocolError, ServiceError } from '../../client/errors.js';
import type { ClientHooks, Retry } from '../../client/request.js';
import { isObject } from '../../contract/json.js';
import { PROBLEMS } from '../../contract/problems.js';
import { tokenDataSchemas } from '../../contract/schemas/token-data.js';
import { createToken } from '../../contract/schemas/tokens.js';
import { deriveIdempotencyKey } from './import-rows.js';
import { refusalReason, refusedEntries } from './rejects.js';
import type { ImportRow, Reject, TokenRecord } from './row.js';

interface UploaderOptions {
  createClient: (hooks: ClientHooks) => Client;
  /** Identifies the import in idempotency keys, across its runs. */
  jobId: string;
  /** Called with IDs of tokens that the service stored: one, or those of a request. */
  onStored: (ids: string[]) => void;
}

/** The request itself is at fault: a smaller part of it may be accepted. */
const SPLITTABLE = new Set([400, 403, 409, 413, 415, 422]);

/** Uploads rows so that each becomes exactly one token, however often it is sent. */
export class Uploader {
  #accepted = false;
  /** Idempotency keys of requests that a failed attempt may have carried out. */
  readonly #maybeSent = new Set<string>();
  readonly #client: Client;

  constructor(private readonly options: UploaderOptions) {
    this.#client = options.createClient({ beforeRetry: (retry) => this.#recordAttempt(retry) });
  }

  /** Uploads rows in few requests; rows that the contract does not allow go apart. Goal C1 with 1 % rejects: a sixth more per second. */
  async upload(rows: readonly ImportRow[], maybeSent: boolean): Promise<Reject[]> {
    const [valid, invalid] = partition(rows, ({ record }) => conformsToContract(record));
    const rejects = await this.#uploadRows(valid, maybeSent);
    return [...rejects, ...(await this.#uploadRows(invalid, maybeSent))];
  }

  /** Uploads rows in one request. If it is refused, uploads parts of it. */
  async #uploadRows(rows: readonly ImportRow[], maybeSent: boolean): Promise<Reject[]> {
    const [row, ...others] = rows;
    if (!row) return [];
    const idempotencyKey = deriveIdempotencyKey(this.options.jobId, rows);
    try {
      await (others.length === 0 ? this.#create(row, idempotencyKey) : this.#tokenize(rows, idempotencyKey));
      this.#accepted = true;
      return [];
    } catch (error) {
      if (!(error instanceof ServiceError) || !SPLITTABLE.has(error.status)) throw error;
      const maybeTaken = maybeSent || this.#maybeSent.has(idempotencyKey);
      if (others.length > 0) return this.#uploadParts(rows, error, maybeTaken);
      // A key that must not create any token would be refused for every row.
      if (error.status === 403 && !this.#accepted) throw error;
      return this.#rejectsOf(row, refusalReason(error), error, maybeTaken);
    } finally {
      this.#maybeSent.delete(idempotencyKey);
    }
  }

  /** Uploads the rows of a refused request apart: those that the answer blames, and all others. */
  async #uploadParts(rows: readonly ImportRow[], error: ServiceError, maybeSent: boolean): Promise<Reject[]> {
    const reasons = refusedEntries(error, rows.length);
    if (!reasons) return this.#uploadHalves(rows, maybeSent);
    const [blamed, others] = partition(rows, (_row, index) => reasons.has(index));
    if (others.length === 0)
      return rows.flatMap((row, index) => this.#rejectsOf(row, reasons.get(index) ?? '', error, maybeSent));
    // Of two rows with the same id the second is blamed, and must not be stored first.
    if (error.status === 409)
      return [...(await this.#uploadRows(others, maybeSent)), ...(await this.#uploadRows(blamed, maybeSent))];
    const rejects = await this.#uploadRows(blamed, maybeSent);
    // A limit on the whole request blames the row that reached it. The others would reach it again, one after another.
    const isConfirmed = rejects.length === blamed.length;
    const more = isConfirmed ? this.#uploadRows(others, maybeSent) : this.#uploadHalves(others, maybeSent);
    return [...rejects, ...(await more)];
  }

  async #uploadHalves(rows: readonly ImportRow[], maybeSent: boolean): Promise<Reject[]> {
    const half = Math.ceil(rows.length / 2);
    const first = await this.#uploadRows(rows.slice(0, half), maybeSent);
    return [...first, ...(await this.#uploadRows(rows.slice(half), maybeSent))];
  }

  async #create({ record }: ImportRow, idempotencyKey: string): Promise<void> {
    const body = record as never;
    const { id } = await this.#client.call('tokens.create', { body, idempotencyKey });
    this.options.onStored([id]);
  }

  /** Creates tokens in one request: tokenize takes create requests, all or nothing. */
  async #tokenize(rows: readonly ImportRow[], idempotencyKey: string): Promise<void> {
    const body = rows.map(({ record }) => record);
    const tokens = await this.#client.call('tokenize', { body, idempotencyKey });
    if (!Array.isArray(tokens) || tokens.length !== rows.length || !tokens.every(isToken))
      throw new ProtocolError('Tokenize did not return one token per row. Import with --batch 1.');
    this.options.onStored(tokens.map(({ id }) => id));
  }

  /** Returns the reject of a refused row; none if the row took the id itself, and the response was lost. */
  #rejectsOf(
    { number, original, ownId }: ImportRow,
    reason: string,
    { status }: ServiceError,
    maybeTaken: boolean,
  ): Reject[] {
    return status === 409 && (ownId || maybeTaken) ? [] : [{ number, original, reason }];
  }

  /** Remembers a request whose failed attempt may have been carried out: all but those that were refused. */
  #recordAttempt({ error, request }: Retry): void {
    const wasRefused =
      error instanceof ServiceError &&
      error.status < 500 &&
      error.problem.title !== PROBLEMS.requestInFlight.title;
    if (!wasRefused && request.idempotencyKey !== undefined) this.#maybeSent.add(request.idempotencyKey);
  }
}

const isToken = (value: unknown): value is { id: string } =>
  isObject(value) && typeof value.id === 'string' && 'type' in value;

/** Whether a row has the shape that the contract asks of a create request. The service decides. */
function conformsToContract(record: TokenRecord): boolean {
  const parsed = createToken.safeParse(record);
  return parsed.success && tokenDataSchemas[parsed.data.type].safeParse(record.data).success;
}

function partition<T>(items: readonly T[], matches: (item: T, index: number) => boolean) {
  const parts: [T[], T[]] = [[], []];
  for (const [index, item] of items.entries()) parts[matches(item, index) ? 0 : 1].push(item);
  return parts;
}
