import { ServiceError } from '../../../../client/errors.js';
import type { ReactorTrace, TracedRequest } from '../../../../contract/control/traces.js';
import type { Context } from '../../../command.js';
import { escapeControls, type Style } from '../../../output/style.js';
import type { DeployedPositions } from '../../../reactors/build/deployed-positions.js';
import { callControl, targetEmulator } from '../../shared/running-emulator.js';

const milliseconds = (ms: number): string => `${ms < 10 ? ms.toFixed(1) : ms.toFixed(0)} ms`;

/** Returns the traces of an invocation; none when the target is not the emulator of this directory. */
async function tracesOf(traceId: string, context: Context): Promise<ReactorTrace[]> {
  if (!(await targetEmulator(context))) return [];
  try {
    return (await callControl(context, 'traces.get', { path: { traceId } })).traces;
  } catch (error) {
    // The invocation was rejected before it started.
    if (error instanceof ServiceError) return [];
    throw error;
  }
}

function requestLines(request: TracedRequest): string[] {
  const { method, url, status, error, duration_ms, request_body, response_body } = request;
  return [
    `${method} ${escapeControls(url)}  ${status ?? escapeControls(error ?? '')}  ${milliseconds(duration_ms)}`,
    ...(request_body ? [`  sent      ${escapeControls(request_body)}`] : []),
    ...(response_body ? [`  received  ${escapeControls(response_body)}`] : []),
  ];
}

function traceLines(trace: ReactorTrace, style: Style): string[] {
  const phases = Object.entries(trace.phases_ms).map(([phase, ms]) => `${phase} ${milliseconds(ms ?? 0)}`);
  const total = trace.total_ms === undefined ? 'still running' : milliseconds(trace.total_ms);
  const start = trace.cold ? ', cold start' : '';
  const lines = [
    `${style.bold(`reactor ${trace.reactor_id}`)}  ${trace.status ?? ''}  ${total}${start}`,
    `  ${phases.join(' · ')}`,
    ...trace.console.map(
      ({ level, message }) => `  ${style.dim(level.padEnd(5))}  ${escapeControls(message)}`,
    ),
    ...trace.requests.flatMap(requestLines).map((line) => `  ${line}`),
    ...(trace.stack ?? []).map((frame) => `  ${style.dim(escapeControls(frame))}`),
    ...(trace.cut ? [style.dim('  … more was left out')] : []),
  ];
  return lines.map((line) => '  '.repeat(trace.depth) + line);
}

async function locateTrace(trace: ReactorTrace, positions: DeployedPositions): Promise<ReactorTrace> {
  const replace = (text: string) => positions.replace(trace.reactor_id, text);
  const console = await Promise.all(
    trace.console.map(async (line) => ({ ...line, message: await replace(line.message) })),
  );
  return { ...trace, console, ...(trace.stack && { stack: await Promise.all(trace.stack.map(replace)) }) };
}

/** Prints on stderr how an invocation went, bodies masked. Returns the traces as the service has them. */
export async function showTrace(
  traceId: string,
  durationMs: number,
  positions: DeployedPositions,
  context: Context,
): Promise<ReactorTrace[]> {
  const { output } = context;
  output.notice(`trace id ${traceId}, ${durationMs.toFixed(0)} ms`);
  const traces = await tracesOf(traceId, context);
  for (const trace of traces) {
    const located = await locateTrace(trace, positions);
    for (const line of traceLines(located, output.style)) output.notice(line);
  }
  return traces;
}
