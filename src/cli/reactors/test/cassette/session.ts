import { existsSync } from 'node:fs';
import type { InterceptRequest } from '../../../emulator/launch.js';
import {
  type CassetteCases,
  cassettePathFor,
  type RecordedCall,
  readCassette,
  writeCassette,
} from './cassette.js';
import { recordCall } from './recorder.js';
import { Replayer, type UnmatchedCall } from './replayer.js';
import type { ValueForms } from './value-forms.js';

/** The outbound calls of a reactor's tests: recorded, or answered from a recording. */
export interface CassetteSession {
  interceptRequest: InterceptRequest;
  /** Begins a test case. @param forms the placeholders of its values */
  begin(name: string, forms: ValueForms): void;
  /** The calls of the present case that were not recorded. */
  unmatched(): readonly UnmatchedCall[];
  /** Writes what was recorded. @returns the number of calls; undefined if nothing is recorded */
  close(): Promise<number | undefined>;
}

/** Tells cases of the same name apart: the second `charges` is `charges (2)`. */
function createKeys(): (name: string) => string {
  const counts = new Map<string, number>();
  return (name) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  };
}

function createRecordSession(path: string): CassetteSession {
  const keyOf = createKeys();
  /** A call that was not answered stays undefined. */
  const cases = new Map<string, (RecordedCall | undefined)[]>();
  let current: { calls: (RecordedCall | undefined)[]; forms: ValueForms } | undefined;
  return {
    async interceptRequest(request, send) {
      if (!current) return send();
      const { calls, forms } = current;
      // Calls are recorded in the order in which they begin, which does not depend on the network.
      const position = calls.push(undefined) - 1;
      const response = await send();
      calls[position] = recordCall(request, response, forms);
      return response;
    },
    begin(name, forms) {
      const calls: (RecordedCall | undefined)[] = [];
      cases.set(keyOf(name), calls);
      current = { calls, forms };
    },
    unmatched: () => [],
    close() {
      const answered = [...cases].map(
        ([name, calls]) => [name, calls.filter((call) => call !== undefined)] as const,
      );
      return writeCassette(path, Object.fromEntries(answered));
    },
  };
}

function createReplaySession(cases: CassetteCases): CassetteSession {
  const keyOf = createKeys();
  let replayer: Replayer | undefined;
  return {
    async interceptRequest(request) {
      if (!replayer) throw new Error('No test case is running.');
      return replayer.respond(request);
    },
    begin(name, forms) {
      replayer = new Replayer(cases[keyOf(name)] ?? [], forms);
    },
    unmatched: () => replayer?.unmatched ?? [],
    close: async () => undefined,
  };
}

/**
 * Opens the session of a reactor's tests: one that records, or one that replays the cassette next to the code. Without a cassette,
 * there is none, and the calls are sent.
 * @param code path of the reactor's code
 */
export async function openCassette(code: string, record: boolean): Promise<CassetteSession | undefined> {
  const path = cassettePathFor(code);
  if (record) return createRecordSession(path);
  return existsSync(path) ? createReplaySession(await readCassette(path)) : undefined;
}
