export * from './application-types.js';
export * from './control/index.js';
export * from './headers.js';
export * from './limits.js';
export * from './openapi/document.js';
export * from './operation-row.js';
export { OPERATION_IDS, type OperationId, type Operations, operationRow, operations } from './operations.js';
export {
  PERMISSION_NAMES,
  PERMISSIONS,
  type Permission,
  permissionsOfType,
  TRANSFORMS,
  type Transform,
} from './permissions.js';
export * from './problems.js';
export * from './reactor-runtime.js';
export * from './schemas/index.js';
export * from './token-types.js';
export { type FieldErrors, fieldErrors, MAX_FIELD_ERRORS } from './validation.js';
