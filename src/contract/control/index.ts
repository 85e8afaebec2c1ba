export {
  type AccessCall,
  type AccessDecision,
  type AccessExplanation,
  accessExplanation,
} from './access.js';
export type { ClockChange, ClockState } from './clock.js';
export type { PendingDelivery } from './deliveries.js';
export {
  CONTROL_IDS,
  CONTROL_PREFIX,
  type ControlEndpoint,
  type ControlEndpoints,
  type ControlId,
  controlEndpoint,
  controlEndpoints,
} from './endpoints.js';
export * from './events.js';
export type { Fault, FaultSpec } from './faults.js';
export type { JournaledRequest, RequestExpectation, RequestVerification } from './request-journal.js';
export {
  type ControlBody,
  type ControlInput,
  type ControlRequest,
  type ControlSchemas,
  controlSchemas,
  type Overview,
  type SnapshotInfo,
} from './schemas.js';
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
export type { Health, Stats, StoreHealth } from './status.js';
export { type ReactorTrace, reactorTrace, type TracedPhases, type TracedRequest } from './traces.js';
export {
  CONSOLE_LEVELS,
  type ConsoleLevel,
  EVENT_KINDS,
  LATENCY_BOUNDS_MS,
  SNAPSHOT_NAME,
} from './vocabulary.js';
