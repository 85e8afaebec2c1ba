import type { AccessCheck, CheckedToken, TokenCheck } from './access-check.js';
import type { Caller } from './caller-registry.js';

/** The number of calls whose checks are kept, and of checks per call. */
const KEPT_CALLS = 1_000;
const KEPT_CHECKS = 100;
/** Token ids that one check names. */
const KEPT_TOKEN_IDS = 100;
/** Bytes of the containers, token ids and filters of one call. */
const KEPT_BYTES = 16_384;
/** Memory of a character of filters as JSON, in bytes. */
const FILTER_BYTES = 5;

/** The part of a call that its trace refers to. */
type TracedCaller = Pick<Caller, 'application' | 'actor'>;

/** Receives every check when it is made, with the application that it is about. */
type CheckListener = (check: AccessCheck, application: Caller['application']) => void;

/**
 * Records the access checks of one call. It stores references only; the explanation is derived on request, from the rules that
 * the application had.
 */
export class AccessTrace {
  readonly checks: AccessCheck[] = [];
  cut = false;
  #bytes = 0;
  readonly application: Caller['application'];
  readonly actor: Caller['actor'];

  constructor(
    readonly traceId: string,
    { application, actor }: TracedCaller,
    /** Milliseconds since 1970. */
    readonly startedAt: number,
    private readonly listener: CheckListener | undefined,
  ) {
    this.application = application;
    this.actor = actor;
  }

  add(check: AccessCheck): void {
    this.listener?.(check, this.application);
    if (this.checks.length < KEPT_CHECKS && this.#fits(bytesOf(check))) this.checks.push(check);
    else this.cut = true;
  }

  /** Adds a check of a token, to the one before it if that differs in nothing but the token. */
  addToken(scope: TokenCheck['scope'], permission: TokenCheck['permission'], token: CheckedToken): void {
    const { id, containers } = token;
    const last = this.checks.at(-1);
    if (last && isAlike(last, scope, permission, containers)) {
      if (id === undefined || last.tokenIds.at(-1) === id) return;
      if (last.tokenIds.length < KEPT_TOKEN_IDS && this.#fits(id.length)) last.tokenIds.push(id);
    } else this.add({ scope, permission, containers, tokenIds: id === undefined ? [] : [id] });
  }

  #fits(bytes: number): boolean {
    if (this.#bytes + bytes > KEPT_BYTES) return false;
    this.#bytes += bytes;
    return true;
  }
}

function bytesOf(check: AccessCheck): number {
  if (check.scope === 'operation') return 0;
  if (check.scope === 'list') return FILTER_BYTES * JSON.stringify(check.filters).length;
  let bytes = 0;
  for (const container of check.containers) bytes += container.length;
  for (const id of check.tokenIds) bytes += id.length;
  return bytes;
}

function isAlike(
  check: AccessCheck,
  scope: TokenCheck['scope'],
  permission: TokenCheck['permission'],
  containers: readonly string[],
): check is TokenCheck {
  return (
    check.scope === scope &&
    check.permission === permission &&
    check.containers.length === containers.length &&
    check.containers.every((container, index) => container === containers[index])
  );
}

const isOf = ({ application }: AccessTrace, tenantId: string | undefined): boolean =>
  tenantId === undefined || application.tenant_id === tenantId;

/** Traces of the access checks of recent calls. Requests may share a trace id, and a reactor's calls have that of its request. */
export class AccessTraces {
  #kept: AccessTrace[] = [];
  #listener: CheckListener | undefined;

  begin(traceId: string, caller: TracedCaller, now: number): AccessTrace {
    const trace = new AccessTrace(traceId, caller, now, this.#listener);
    this.#kept.push(trace);
    // Dropped in bulk, because removing one at a time would move the whole list for every request.
    if (this.#kept.length >= 2 * KEPT_CALLS) this.#kept = this.#kept.slice(-KEPT_CALLS);
    return trace;
  }

  /** Finds the traces of a trace id, of a tenant or all, the oldest first. */
  find(traceId: string, tenantId?: string): AccessTrace[] {
    return this.#kept.filter((trace) => trace.traceId === traceId && isOf(trace, tenantId));
  }

  /** Passes every check of the calls that begin from now on to a listener. */
  listen(listener: CheckListener): void {
    this.#listener = listener;
  }

  /** Discards the traces of a tenant, or all. */
  clear(tenantId?: string): void {
    this.#kept = this.#kept.filter((trace) => !isOf(trace, tenantId));
  }
}
