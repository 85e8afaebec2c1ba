import type { ControlClient } from '../../client/control.js';
import type { AccessCall } from '../../contract/control/access.js';
import type { RequestEvent } from '../../contract/control/events.js';
import type { ReactorTrace } from '../../contract/control/traces.js';
import { OPERATION_IDS, operationRow } from '../../contract/operations.js';
import { usageError } from '../lib/errors.js';
import type { Arguments, Tool } from './operation-tools.js';
import { shownChanges } from './redact-answer.js';

interface EmulatorTool extends Tool {
  read(control: ControlClient, input: Arguments): Promise<unknown>;
}

const TRACE_ID = { trace_id: { type: 'string', description: 'trace_id of emulator_requests' } };

/** Returns the path of the operation. That of the request may hold anything that an application puts into it. */
function pathOf({ operation }: RequestEvent): string | undefined {
  const id = OPERATION_IDS.find((one) => one === operation);
  return id && operationRow(id).path;
}

/** What an agent sees of a request, besides the path and the changes. */
const SHOWN = [
  'time',
  'trace_id',
  'method',
  'operation',
  'status',
  'duration_ms',
  'application_name',
  'transform',
  'error',
] as const;

function showRequest(event: RequestEvent) {
  const shown = Object.fromEntries(SHOWN.map((name) => [name, event[name]]));
  return { ...shown, path: pathOf(event), changed: event.changed && shownChanges(event.changed) };
}

/** Leaves out what reactor code controls: its console, messages, URLs and bodies. */
function showTrace({ console, requests, stack, error: _error, ...trace }: ReactorTrace) {
  return {
    ...trace,
    console_lines: console.length,
    requests: requests.map(({ method, status, duration_ms }) => ({ method, status, duration_ms })),
    // Of `at charge (reactor.js:8:13)`, the position.
    stack: stack?.map((frame) => /[\w.-]+:\d+:\d+(?=\)?$)/.exec(frame)?.[0]),
  };
}

/** Leaves out IDs of tokens, which an application may choose, and how many tokens a filter left out. */
const showCall = ({ decisions, ...call }: AccessCall) => ({
  ...call,
  decisions: decisions.map(({ token_ids: _ids, left_out: _count, ...decision }) => decision),
});

function traceIdOf({ trace_id: traceId }: Arguments): string {
  if (typeof traceId === 'string' && traceId !== '') return traceId;
  throw usageError('trace_id must be a string.');
}

function defineTool(
  name: string,
  description: string,
  properties: Record<string, unknown>,
  read: EmulatorTool['read'],
): EmulatorTool {
  const required = Object.keys(properties);
  return {
    name,
    description,
    inputSchema: { type: 'object', properties, ...(required.length > 0 && { required }) },
    annotations: { readOnlyHint: true },
    read,
  };
}

/** The tools that show what an application sent, why it was refused, and what its reactors did. */
export const EMULATOR_TOOLS: readonly EmulatorTool[] = [
  defineTool(
    'emulator_requests',
    'List the recent requests of the emulator, the newest last: operation, status, application, and why one was refused.',
    {},
    async (control) => {
      const { requests } = await control.call('requests.list');
      return { requests: requests.map(showRequest) };
    },
  ),
  defineTool(
    'emulator_trace',
    'Get what the reactors did in one request: phases, outbound requests, and where the code threw an error.',
    TRACE_ID,
    async (control, input) => {
      const { traces } = await control.call('traces.get', { path: { traceId: traceIdOf(input) } });
      return { traces: traces.map(showTrace) };
    },
  ),
  defineTool(
    'emulator_explain',
    'Explain why a request was refused, or what it was shown: the permissions and rules that decided, in their order.',
    TRACE_ID,
    async (control, input) => {
      const path = { traceId: traceIdOf(input) };
      const { requests, calls } = await control.call('access.explain', { path });
      return { requests: requests.map(showRequest), calls: calls.map(showCall) };
    },
  ),
  defineTool('emulator_clock', "Get the emulator's clock.", {}, (control) => control.call('clock.get')),
];
