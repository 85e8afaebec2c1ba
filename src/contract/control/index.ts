export {
  type AccessCall,
  type AccessDecision,
  type AccessExplanation,
  accessExplanation,
} from './access.js';
export type { ClockChange, ClockState } from './clock.js';
export type { PendingDelivery } from './deliveries.js';
export { CONTROL_PREFIX, type ControlEndpoint } from './endpoint-row.js';
export {
  CONTROL_IDS,
  type ControlEndpoints,
  type ControlId,
  controlEndpoint,
  controlEndpoints,
} from './endpoints.js';
export { CONSOLE_LEVELS, type ConsoleLevel, EVENT_KINDS } from './event-kinds.js';
export * from './events.js';
export type { Fault, FaultSpec } from './faults.js';
export type { Health, StoreHealth } from './health.js';
export { LATENCY_BOUNDS_MS } from './latency-bounds.js';
export type { Overview } from './overview.js';
export type {
  JournaledRequest,
  RequestExpectation,
  RequestVerification,
} from './request-journal.js';
export {
  type ControlBody,
  type ControlInput,
  type ControlRequest,
  type ControlSchemas,
  controlSchemas,
} from './schemas.js';
export { SNAPSHOT_NAME } from './snapshot-name.js';
export type { SnapshotInfo } from './snapshots.js';
export {
  type Address,
  type Credentials,
  type PerApplication,
  parseStateFile,
  type ReadyInfo,
  readyInfo,
  type StateFile,
  stateFile,
  type WorkingCredentials,
} from './state-file.js';
export type { Stats } from './stats.js';
export { type ReactorTrace, reactorTrace, type TracedPhases, type TracedRequest } from './traces.js';
