import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { FullConfig } from '@playwright/test';
import { CONTROL_PREFIX } from '../../contract/control/endpoints.js';
import type { KitOptions } from '../fixtures.js';
import { connectEmulator, type EmulatorAddress, openRunEmulator, type RunOptions } from '../index.js';
import { afterReports, type Redact, redactFile, redactFiles, redactHtmlReport } from './redact-files.js';

/** Pages under test call the service from this machine, on any port. */
const PAGE_ORIGINS = ['http://localhost:*', 'http://127.0.0.1:*'];

/**
 * Prepares the emulator of the run: `globalSetup: 'tokenctl/playwright/setup'`. Workers find it in the environment, as the command of
 * `emulator exec` does.
 * @returns the teardown, which redacts the files that the tests left, before reporters copy them
 */
export default async function setup(config: FullConfig): Promise<() => Promise<void>> {
  const { address, close } = await openRunEmulator(runOptions(config));
  process.env.TOKENCTL_CONTROL_URL = `${address.url}${CONTROL_PREFIX}`;
  process.env.TOKENCTL_CONTROL_TOKEN = address.controlToken;
  if (address.headerPrefix !== undefined) process.env.TOKENCTL_HEADER_PREFIX = address.headerPrefix;
  if (address.template !== undefined) process.env.TOKENCTL_TEMPLATE = JSON.stringify(address.template);
  if (address.certificate !== undefined) process.env.TOKENCTL_CERTIFICATE = address.certificate;
  const directories = new Set(config.projects.map(({ outputDir }) => outputDir));
  const finish = async () => {
    await redactWith(address, (redact) => redactReports(config, redact)).finally(close);
  };
  return async () => {
    try {
      await redactWith(address, async (redact) => {
        for (const directory of directories) await redactFiles(directory, redact);
      });
    } finally {
      if (!afterReports(finish)) {
        warnOfReport(config);
        await close();
      }
    }
  };
}

/** Reads the option that the configuration sets, of the first project that has it: all projects share one emulator. */
function runOptions({ projects }: FullConfig): RunOptions {
  const uses = projects.map(({ use }) => use as Partial<KitOptions>);
  const options = uses.find(({ emulatorOptions }) => emulatorOptions !== undefined)?.emulatorOptions ?? {};
  if ('controlToken' in options) return options;
  return { ...options, allowOrigins: [...PAGE_ORIGINS, ...(options.allowOrigins ?? [])] };
}

function warnOfReport({ reporter }: FullConfig): void {
  if (reporter.some(([name]) => name === 'html' || name === 'blob'))
    console.error(
      "The report of this run is not redacted: list the reporter of the kit last, reporter: [['html'], ['tokenctl/playwright/reporter']].",
    );
}

async function redactWith(address: EmulatorAddress, work: (redact: Redact) => Promise<void>): Promise<void> {
  const emulator = await connectEmulator(address);
  try {
    await work((text) => emulator.redact(text));
  } catch (error) {
    // Only the kits, exec and access record start an emulator that remembers the data of tokens.
    if ((error as { status?: number }).status !== 404) throw error;
    console.error('The files of this run are not redacted: run it inside of `tokenctl emulator exec`.');
  } finally {
    await emulator.close();
  }
}

type Options = Partial<Record<'outputFile' | 'outputFolder' | 'outputDir', string>>;

/** Redacts the files of the reporters that write data: `html`, `blob`, and those with an `outputFile`. */
async function redactReports(config: FullConfig, redact: Redact): Promise<void> {
  const from = config.configFile === undefined ? process.cwd() : dirname(config.configFile);
  for (const [name, given] of config.reporter) {
    const { outputFile, outputFolder, outputDir } = (given ?? {}) as Options;
    const { PLAYWRIGHT_HTML_OUTPUT_DIR, PLAYWRIGHT_HTML_REPORT } = process.env;
    const html = PLAYWRIGHT_HTML_OUTPUT_DIR || PLAYWRIGHT_HTML_REPORT;
    if (outputFile) await redactFile(resolve(from, outputFile), redact);
    else if (name === 'html')
      await redactHtmlReport(html ? resolve(html) : locate(from, outputFolder, 'playwright-report'), redact);
    else if (name === 'blob') await redactFiles(locate(from, outputDir, 'blob-report'), redact);
  }
}

/** Finds a directory as Playwright does: by default next to the package.json of the project. */
function locate(from: string, given: string | undefined, name: string): string {
  if (given) return resolve(from, given);
  let project = from;
  while (!existsSync(join(project, 'package.json')) && dirname(project) !== project)
    project = dirname(project);
  return join(existsSync(join(project, 'package.json')) ? project : process.cwd(), name);
}
