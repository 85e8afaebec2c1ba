import type { Caller } from '../../access/caller-registry.js';
import type { AccessCheck, CheckedToken, TokenCheck } from '../../access/explain-check.js';

const KEPT_CHECKS = 100;
const KEPT_TOKEN_IDS = 100;
/** Bytes of the containers, token ids and filters of one call. */
const KEPT_BYTES = 16_384;
/** What a call takes, and each of its checks in addition to its texts, in bytes. */
const [CALL_BYTES, CHECK_BYTES] = [256, 128];
/** Memory of a character of filters as JSON, in bytes. */
const FILTER_BYTES = 5;

/** Receives every check when it is made, with the application that it is about. */
export type CheckListener = (check: AccessCheck, application: Caller['application']) => void;

/** The access checks of one call, by reference. What they mean is derived on request, from the rules of then. */
export class CallChecks {
  readonly checks: AccessCheck[] = [];
  cut = false;
  #textBytes = 0;
  readonly application: Caller['application'];
  readonly actor: Caller['actor'];

  constructor(
    { application, actor }: Pick<Caller, 'application' | 'actor'>,
    /** Milliseconds since 1970. */
    readonly startedAt: number,
    private readonly listener: CheckListener,
  ) {
    this.application = application;
    this.actor = actor;
  }

  get bytes(): number {
    return CALL_BYTES + CHECK_BYTES * this.checks.length + this.#textBytes;
  }

  add(check: AccessCheck): void {
    this.listener(check, this.application);
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
    if (this.#textBytes + bytes > KEPT_BYTES) return false;
    this.#textBytes += bytes;
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
