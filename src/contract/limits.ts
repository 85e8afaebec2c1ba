/** The limits of the service with unit and source: `spec` is the specification, `decided` is decisions.md. */
export const LIMITS = {
  /** Characters; spec, Reactor object and Tenant object; decided for applications. */
  nameCharacters: 200,
  /** Characters; spec, Limits. */
  reactorCodeCharacters: 50_000,
  /** Bytes of request body, 5 MB; spec for react, decided elsewhere. */
  bodyBytes: 5_242_880,
  /** Distinct tokens per invocation; spec, Limits. */
  detokenizedTokens: 100,
  /** Characters of JSON in the data of the tokens of a detokenization, together; decided here: all of it is in memory at once. */
  detokenizedCharacters: 16_777_216,
  /** Milliseconds; spec, Limits (synchronous invocation timeout). */
  syncTimeoutMs: 30_000,
  /** Milliseconds; spec, POST /reactors/{id}/react. */
  asyncTimeoutMs: { minimum: 10_000, maximum: 210_000, default: 10_000 },
  /** Milliseconds a card's cvc is kept; spec, Token data validations. */
  cvcLifetimeMs: 3_600_000,
  /** Milliseconds until a token intent expires; decided. */
  tokenIntentLifetimeMs: 86_400_000,
  /** Milliseconds until a key to encrypt token data with expires by default; decided. */
  encryptionKeyLifetimeMs: 86_400_000,
  /** Such keys of one tenant; extension. */
  encryptionKeys: 100,
  /** Milliseconds until a session expires: as it is opened, and at most as it is authorized; decided. */
  sessionLifetimeMs: { default: 3_600_000, maximum: 86_400_000 },
  /** Items per page; decided. */
  pageSize: { minimum: 1, maximum: 100, default: 20 },
  /** Bytes of JSON in one answer, 32 MB; decided. */
  responseBytes: 33_554_432,
  /** Repeated `id` parameters of a list; decided. */
  listIds: 100,
  tokenIdCharacters: { minimum: 3, maximum: 400 },
  /** Characters of a container; decided here, because a token is indexed under every container above its own. */
  containerCharacters: 400,
  /** Per token; decided, Containers. */
  containers: 64,
  metadataKeys: 256,
  /** Of an application, those that have expired not counted; an extension. */
  applicationKeys: 20,
  /** Of a tenant; an extension. */
  webhooks: 20,
  /** Milliseconds of failures after which a webhook is disabled; decided. */
  webhookFailureMs: 86_400_000,
  /** What large requests hold: a part of the heap, of which a tenant has a share; how long they wait for it; decided. */
  largeRequests: {
    heapShare: 1 / 4,
    bytes: { minimum: 134_217_728, maximum: 536_870_912 },
    tenantShare: 3 / 4,
    waitMs: 10_000,
  },
  /** Milliseconds for a request to arrive whole: it may hold the share of its tenant until then; decided here. */
  requestMs: 60_000,
  /** Of a tenant: deliveries, and bytes of the bodies of distinct events and callbacks; decided. */
  pendingDeliveries: { count: 20_000, bytes: 268_435_456 },
  /** Bytes of the code and configurations of a tenant's reactors and proxies; decided. */
  tenantCodeBytes: 67_108_864,
  searchIndexes: 64,
  /** Characters of a Lucene query; decided here, because the parser's work grows with it. */
  searchQueryCharacters: 4_096,
  /** Each is compared with the values of all tokens; decided. */
  searchWildcards: 50,
  /** Levels of the containers of all tokens of a request, each of which is an index entry; decided. */
  containerLevels: 500_000,
  /** Milliseconds for which the response to an idempotency key is stored; decided. */
  idempotencyLifetimeMs: 86_400_000,
  /** Bytes of the stored responses and results of react-async of a tenant, more than any has; decided here. */
  storedResponseBytes: 67_108_864,
  /** Characters of a callback URL; decided here, because parsing takes time that grows with the square of the host's length. */
  callbackUrlCharacters: 2_048,
  /** Of a trace id that a request brings; decided here, because it is kept with every event of the request. */
  traceIdCharacters: 128,
  /** Levels of nested arrays and objects in a body; decided: more than real data has, few enough for recursive code. */
  bodyDepth: 200,
  /** Values in a body, each of which takes time in every step; decided here: more than 10,000 tokens have. */
  bodyValues: 100_000,
  /** Callback delivery: milliseconds per attempt, and retries; decided. */
  callback: { timeoutMs: 10_000, retries: 10 },
  /** Monthly active tokens of the billing plan of a new emulator; decided. */
  includedMonthlyActiveTokens: 50,
} as const;

/** The rate limits that a request can count towards; spec, Limits. `portal`: the emulator's dashboard and control endpoints. */
export type RateScope = 'global' | 'portal' | 'tokens.search' | 'tokens.list' | 'tokens.create';

/** Requests per window and client IP. A client that exceeds a scope is blocked for `blockSeconds`; spec, Limits. */
export const RATE_LIMITS: Record<
  RateScope,
  { requests: number; windowSeconds: number; blockSeconds: number }
> = {
  global: { requests: 1000, windowSeconds: 10, blockSeconds: 10 },
  portal: { requests: 600, windowSeconds: 10, blockSeconds: 10 },
  'tokens.search': { requests: 50, windowSeconds: 10, blockSeconds: 10 },
  'tokens.list': { requests: 100, windowSeconds: 10, blockSeconds: 10 },
  'tokens.create': { requests: 200, windowSeconds: 10, blockSeconds: 10 },
};
