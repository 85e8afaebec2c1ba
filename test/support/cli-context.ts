import type { Context } from '../../src/cli/command.js';
import { readSettings } from '../../src/cli/config/settings.js';
import { loadDefinitions } from '../../src/cli/definitions/index.js';
import type { GlobalOptions } from '../../src/cli/flags/globals.js';
import type { Output } from '../../src/cli/output/output.js';
import { loadStyle } from '../../src/cli/output/style.js';
import { createPrompts } from '../../src/cli/prompts/prompts.js';
import { connectOverHttp } from '../../src/client/connection.js';
import { createClient } from '../../src/client/index.js';
import type { TestTarget } from './shared-emulator.js';

/** A context to call commands as functions with, without a process for each. */
interface TestContext {
  context: Context;
  /** The results that were printed, before they are redacted. */
  results: unknown[];
  /** Notices and warnings. */
  notices: string[];
}

export interface TestContextOptions {
  cwd: string;
  target: TestTarget;
  globals?: GlobalOptions;
  /** The environment besides the target. */
  env?: Record<string, string>;
  signal?: AbortSignal;
  /** Called after each response. */
  onAttempt?: (attempt: { method: string }) => void;
}

/** Creates the context of a command that is run without a terminal, with JSON output and `--yes`. */
export async function createTestContext({
  cwd,
  target,
  globals = {},
  env = {},
  signal = new AbortController().signal,
  onAttempt,
}: TestContextOptions): Promise<TestContext> {
  const environment = {
    env: { ...target.env, ...env, TOKENCTL_CONFIG_DIR: `${cwd}/.config` },
    cwd,
    platform: process.platform,
    home: cwd,
    terminal: { stdin: false, stdout: false, stderr: false, columns: undefined },
  };
  const settings = readSettings({ yes: true, ...globals }, environment);
  const results: unknown[] = [];
  const notices: string[] = [];
  const print = (text: string) => void notices.push(text);
  const printResult = async (value: unknown) => void results.push(value);
  const printList = (data: readonly unknown[]) =>
    printResult({ data, pagination: { total_items: data.length } });
  const output: Output = {
    settings: settings.output,
    isText: false,
    style: await loadStyle(false),
    result: printResult,
    plain: printResult,
    list: printList,
    plainList: printList,
    items: async () => 0,
    item: async () => {},
    text: print,
    status: () => {},
    wait: (_, task) => task(),
    notice: print,
    target: () => {},
    flush: () => {},
    warn: print,
    annotate: print,
    failure: print,
    debug: () => {},
  };
  const { keys } = target;
  const baseUrl = target.env.TOKENCTL_BASE_URL ?? '';
  const client = createClient({
    connect: () =>
      connectOverHttp({ baseUrl, apiKey: { management: keys.management, private: keys.private } }),
    signal,
    // Retries wait as little as they may.
    random: () => 0,
    ...(onAttempt && { onAttempt }),
  });
  const prompts = createPrompts(false, signal);
  const context = { client, output, prompts, settings, signal, loadDefinitions };
  return { context, results, notices };
}

/** Calls a command as a function. @returns its first result */
export async function callCommand<Flags, Result>(
  command: (flags: Flags, context: Context) => Promise<unknown>,
  flags: Flags,
  options: TestContextOptions,
): Promise<Result> {
  const { context, results } = await createTestContext(options);
  try {
    await command(flags, context);
    return results[0] as Result;
  } finally {
    await context.client.close();
  }
}
