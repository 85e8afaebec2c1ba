import type { FieldErrors } from '../../src/contract/index.js';
import type { EvaluationLimits } from './budget.js';

/** What the main thread sends to an evaluation thread. Tasks and results are JSON texts, which are cheap to pass on. */
export interface EvaluationRequest {
  task: string;
  limits: EvaluationLimits;
}

export type EvaluationReply =
  | { kind: 'ready' }
  /** The input is read; the evaluation begins. */
  | { kind: 'started' }
  | { kind: 'result'; json: string | undefined; outputLeft: number; timeMs: number }
  | { kind: 'errors'; errors: FieldErrors; exceeded: boolean; timeMs: number }
  | { kind: 'failed'; message: string };
