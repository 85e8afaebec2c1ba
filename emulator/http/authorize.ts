import { checkPermission } from '../operations/authorize.js';
import { callOf, type Step } from './step.js';

/** Checks that the caller holds the permission of the operation. */
export const authorize: Step = (request) => {
  if (request.operation) checkPermission(request.operation, callOf(request));
};
