import { LIMITS } from '../../src/contract/limits.js';

/** Why a parsed value must not enter the service. */
export type JsonFault = 'depth' | 'proto' | 'number';

/** Messages for the caller. They never quote the value. */
export const JSON_FAULT_MESSAGES: Readonly<Record<JsonFault, string>> = {
  depth: `must not nest deeper than ${LIMITS.bodyDepth} levels`,
  // Harmless as parsed, but a trap for any code that copies properties one by one.
  proto: 'must not use the name __proto__',
  // Written as JSON again, Infinity would become null.
  number: `must not hold a number beyond ${Number.MAX_VALUE}`,
};

/** Returns the first fault of a value, in one walk that stops at the deepest level allowed. */
export function findJsonFault(value: unknown, levels: number = LIMITS.bodyDepth): JsonFault | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'number';
  if (typeof value !== 'object' || value === null) return undefined;
  if (levels === 0) return 'depth';
  if (!Array.isArray(value) && Object.hasOwn(value, '__proto__')) return 'proto';
  for (const item of Array.isArray(value) ? value : Object.values(value)) {
    const fault = findJsonFault(item, levels - 1);
    if (fault) return fault;
  }
  return undefined;
}

/** Scans a JSON text before it is parsed, because code that parses or walks deep nesting may overflow the stack. */
export function nestsDeeperThan(text: string, levels: number): boolean {
  if (text.length <= levels) return false;
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 0x5c) i += 1;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > levels) return true;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return false;
}
