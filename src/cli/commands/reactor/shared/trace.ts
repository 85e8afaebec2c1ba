import { createControl } from '../../../../client/control.js';
import { ServiceError } from '../../../../client/errors.js';
import type { Context } from '../../../command.js';
import { readRunningState } from '../../../config/state-file.js';
import { printable, type Style } from '../../../output/style.js';

/** An invocation as an emulator traced it; `/_emulator/traces/{trace id}`. */
interface ReactorTrace {
  reactor_id: string;
  depth: number;
  status?: number;
  cold?: boolean;
  total_ms?: number;
  phases_ms: Record<string, number>;
  console: { time: string; level: string; message: string }[];
  requests: TracedRequest[];
  cut: boolean;
}

interface TracedRequest {
  method: string;
  url: string;
  status?: number;
  error?: string;
  duration_ms: number;
  request_body?: string;
  response_body?: string;
}

const milliseconds = (ms: number): string => `${ms < 10 ? ms.toFixed(1) : ms.toFixed(0)} ms`;

/** What an emulator knows of the invocations under a trace id; nothing when the service is none, or another one. */
async function tracesOf(traceId: string, { client, settings, signal }: Context): Promise<ReactorTrace[]> {
  const state = await readRunningState(settings);
  const { transport } = await client.connection();
  if (!state || transport.url !== state.base_url) return [];
  const control = await createControl(state, signal);
  try {
    const { traces } = (await control.call('GET', `/traces/${traceId}`)) as { traces: ReactorTrace[] };
    return traces;
  } catch (error) {
    // The invocation was refused before it began.
    if (error instanceof ServiceError) return [];
    throw error;
  } finally {
    await control.close();
  }
}

function requestLines(request: TracedRequest): string[] {
  const { method, url, status, error, duration_ms, request_body, response_body } = request;
  return [
    `${method} ${printable(url)}  ${status ?? printable(error ?? '')}  ${milliseconds(duration_ms)}`,
    ...(request_body ? [`  sent      ${printable(request_body)}`] : []),
    ...(response_body ? [`  received  ${printable(response_body)}`] : []),
  ];
}

function traceLines(trace: ReactorTrace, style: Style): string[] {
  const phases = Object.entries(trace.phases_ms).map(([phase, ms]) => `${phase} ${milliseconds(ms)}`);
  const total = trace.total_ms === undefined ? 'still running' : milliseconds(trace.total_ms);
  const start = trace.cold ? ', cold start' : '';
  const lines = [
    `${style.bold(`reactor ${trace.reactor_id}`)}  ${trace.status ?? ''}  ${total}${start}`,
    `  ${phases.join(' · ')}`,
    ...trace.console.map(({ level, message }) => `  ${style.dim(level.padEnd(5))}  ${printable(message)}`),
    ...trace.requests.flatMap(requestLines).map((line) => `  ${line}`),
    ...(trace.cut ? [style.dim('  … more was left out')] : []),
  ];
  return lines.map((line) => '  '.repeat(trace.depth) + line);
}

/** Tells on stderr how an invocation went: each phase's time, the console, requests with their bodies masked. */
export async function showTrace(traceId: string, durationMs: number, context: Context): Promise<void> {
  const { output } = context;
  output.notice(`trace id ${traceId}, ${durationMs.toFixed(0)} ms`);
  for (const trace of await tracesOf(traceId, context)) {
    for (const line of traceLines(trace, output.style)) output.notice(line);
  }
}
