import { notFoundProblem } from '../problems/not-found.js';
import type { Step } from './step.js';

/** Rejects a request whose path and method are not those of an operation: 404, 405, or 400 for an undecodable path. */
export const requireOperation: Step = ({ operation, routingError, url }) => {
  if (!operation) throw routingError ?? notFoundProblem(url);
};
