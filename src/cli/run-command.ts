import { createClient } from '../client/client.js';
import { type Connection, describeConnection } from '../client/connection.js';
import type { CommandRow, Context, LoadDefinitions } from './command.js';
import { readProcessEnvironment } from './config/process-environment.js';
import { readSettings, type Settings } from './config/settings.js';
import { connectTo } from './connect.js';
import type { GlobalOptions } from './flags/globals.js';
import { EXIT_CODES, interruptedError } from './lib/errors.js';
import { openStderr } from './lib/stderr.js';
import { USER_AGENT } from './lib/user-agent.js';
import { createOutput, type Output, type Streams } from './output/output.js';
import { createPrompts } from './prompts/prompts.js';
import { exitOnStdoutError, reportFailure } from './report-failure.js';

/** Time allowed for cleaning up after Ctrl-C, in milliseconds, unless the command declares another. */
const CLEAN_UP_MS = 10_000;

/** Opens stderr when it is first written to: most commands print nothing there (goal S2). */
const openStreams = ({ stderr }: Settings['terminal'], globals: GlobalOptions): Streams => ({
  stdout: process.stdout.on('error', (error) => exitOnStdoutError(error, globals)),
  stderr: {
    isTTY: stderr,
    get columns() {
      return process.stderr.columns;
    },
    write: (text) => openStderr().write(text),
  },
});

/** Aborts a signal on the first Ctrl-C. The second Ctrl-C, or a clean-up that takes too long, exits at once. */
function abortOnInterrupt(output: Output, cleanUpMs = CLEAN_UP_MS): AbortSignal {
  const controller = new AbortController();
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(EXIT_CODES.interrupted);
    controller.abort(interruptedError());
    output.notice('Stopping … (press Ctrl-C again to exit immediately)');
    setTimeout(() => process.exit(EXIT_CODES.interrupted), cleanUpMs).unref();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  return controller.signal;
}

function createContext(
  settings: Settings,
  output: Output,
  signal: AbortSignal,
  loadDefinitions: LoadDefinitions,
  onConnect: (connection: Connection) => void,
): Context {
  const prompts = createPrompts(settings.interactive, signal);
  const client = createClient({
    connect: async () => {
      const connection = await connectTo(settings, { output, prompts });
      onConnect(connection);
      return connection;
    },
    timeoutMs: settings.timeoutMs,
    signal,
    userAgent: USER_AGENT,
    onAttempt: ({ method, url, status, durationMs, traceId, retryInMs, sunset }) => {
      if (sunset !== undefined)
        output.notice(`${method} ${url} is deprecated; services of the family switched it off: ${sunset}.`);
      output.debug(
        `${method} ${url} ${status} ${durationMs.toFixed(0)} ms${traceId ? ` trace ${traceId}` : ''}${
          retryInMs === undefined ? '' : `, retry in ${retryInMs} ms`
        }`,
      );
      if (retryInMs !== undefined && retryInMs >= 2_000)
        output.notice(
          `${status === 429 ? 'Rate limited' : `Status ${status}`}; retrying in ${Math.ceil(retryInMs / 1000)} s …`,
        );
    },
  });
  return { client, output, prompts, settings, loadDefinitions, signal };
}

/** Ends the process once its output is written: OpenTelemetry would go on trying to send spans for ten seconds. */
function exitWhenWritten(): void {
  const { stdout, stderr } = process;
  stdout.write('', () => stderr.write('', () => setTimeout(() => process.exit(), 100).unref()));
}

/** Runs a command. The only place that turns what a command throws into output and an exit code. */
export async function runCommand(
  row: CommandRow,
  options: Readonly<Record<string, unknown>>,
  globals: GlobalOptions,
  loadDefinitions: LoadDefinitions,
): Promise<void> {
  let context: Context | undefined;
  let opened: Connection | undefined;
  try {
    const settings = readSettings(globals, readProcessEnvironment());
    const streams = openStreams(settings.terminal, globals);
    const output = await createOutput(settings.output, streams, row.prints !== undefined);
    const signal = abortOnInterrupt(output, row.cleanUpMs);
    context = createContext(settings, output, signal, loadDefinitions, (connection) => {
      opened = connection;
    });
    const { fields } = settings.output;
    if (row.prints !== undefined && fields !== undefined) {
      // The schemas take time to load, which no other command spends (goal S2).
      const { assertResultFields } = await import('./result-fields.js');
      assertResultFields(row.prints, fields, row.addedFields);
    }
    const run = await row.load();
    // defineCommand has checked that the command takes these options.
    process.exitCode = (await run(options as never, context)) ?? 0;
    output.flush();
  } catch (error) {
    await reportFailure(context?.signal.aborted ? context.signal.reason : error, globals, {
      row,
      options,
      ...(opened && { service: describeConnection(opened) }),
    });
  } finally {
    await context?.client.close();
    process.removeAllListeners('SIGINT').removeAllListeners('SIGTERM');
    if (context?.settings.env.OTEL_EXPORTER_OTLP_ENDPOINT) exitWhenWritten();
  }
}
