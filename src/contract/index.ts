export * from './application-types.js';
export type * from './control/access.js';
export { accessExplanation } from './control/access.js';
export type * from './control/clock.js';
export type * from './control/deliveries.js';
export type * from './control/endpoints.js';
export { CONTROL_IDS, CONTROL_PREFIX, controlEndpoint, controlEndpoints } from './control/endpoints.js';
export * from './control/events.js';
export type * from './control/faults.js';
export type * from './control/request-journal.js';
export type * from './control/schemas.js';
export { controlSchemas } from './control/schemas.js';
export type * from './control/state-file.js';
export { parseStateFile, readyInfo, stateFile } from './control/state-file.js';
export type * from './control/status.js';
export type * from './control/traces.js';
export { reactorTrace } from './control/traces.js';
export type * from './control/vocabulary.js';
export { CONSOLE_LEVELS, EVENT_KINDS, LATENCY_BOUNDS_MS, SNAPSHOT_NAME } from './control/vocabulary.js';
export * from './headers.js';
export * from './limits.js';
export * from './openapi/document.js';
export type * from './operation-row.js';
export {
  buildPath,
  buildQuery,
  defineOperation,
  METHODS,
  PathParameterError,
  problemsOf,
  takesIdempotencyKey,
} from './operation-row.js';
export { OPERATION_IDS, type OperationId, type Operations, operationRow, operations } from './operations.js';
export type * from './permissions.js';
export { PERMISSION_NAMES, PERMISSIONS, permissionsOfType, TRANSFORMS } from './permissions.js';
export { PROBLEMS, type Problem, type ProblemName, problemType } from './problems.js';
export * from './reactor-runtime.js';
export * from './schemas/index.js';
export * from './token-types.js';
export { type FieldErrors, fieldErrors, MAX_FIELD_ERRORS } from './validation.js';
