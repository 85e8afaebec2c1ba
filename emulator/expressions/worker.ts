import { parentPort } from 'node:worker_threads';
import { lowerPriority } from '../lib/lower-priority.js';
import { currentThread, threadTime } from '../lib/thread-time.js';
import { EvaluationBudget } from './budget.js';
import { BudgetExceededError, ExpressionError } from './errors.js';
import type { EvaluationReply, EvaluationRequest } from './evaluation-pool.js';
import { runTask, type Task } from './task.js';

// Entry point of an evaluation thread: evaluates expressions whose work is not known to be small.

// An evaluation must not slow down the thread that answers requests.
lowerPriority();

const thread = currentThread();

const post = (reply: EvaluationReply): void => parentPort?.postMessage(reply);

parentPort?.on('message', ({ task: text, limits }: EvaluationRequest) => {
  const task = JSON.parse(text) as Task;
  post({ kind: 'started', thread });
  const startedAt = threadTime(thread);
  const elapsed = () => threadTime(thread) - startedAt;
  const budget = new EvaluationBudget(limits);
  try {
    const result = runTask(task, budget);
    const json = result === undefined ? undefined : JSON.stringify(result);
    post({ kind: 'result', json, outputLeft: budget.outputLeft, timeMs: elapsed() });
  } catch (error) {
    if (error instanceof ExpressionError) {
      const exceeded = error instanceof BudgetExceededError;
      post({ kind: 'errors', errors: error.errors, exceeded, timeMs: elapsed() });
    } else post({ kind: 'failed', message: error instanceof Error ? error.name : 'unknown error' });
  }
});
