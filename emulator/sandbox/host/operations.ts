import type { Json } from '../outcome.js';
import { VisibleError } from '../visible-error.js';

/** Answers of the host that need no waiting, by name: JSON and bytes in, JSON or bytes out. */
type Operation = (input: Json, bytes: Uint8Array | undefined) => Json | Uint8Array;

const OPERATIONS: Record<string, Operation> = {};

export function hostOperation(name: string, input: Json, bytes: Uint8Array | undefined): Json | Uint8Array {
  const operation = Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined;
  if (!operation) throw new VisibleError('No such operation.');
  return operation(input, bytes);
}
